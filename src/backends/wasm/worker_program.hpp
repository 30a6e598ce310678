#pragma once

#include <string>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::backends {

/// The worker of an engine, open for executing: a program that came with prx and that nobody but root or this
/// user could have written. Error kind unavailable, step "engine", with what to do.
[[nodiscard]] Result<base::Fd> open_worker(WasmEngine engine);

/// What code depends on that this worker compiles: engine, version and this very program.
[[nodiscard]] std::string describe_worker(WasmEngine engine, const base::Fd& worker);

}  // namespace prx::backends
