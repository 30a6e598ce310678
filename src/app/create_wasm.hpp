#pragma once

#include <memory>

#include <prx/config.hpp>
#include <prx/runtimes.hpp>

namespace prx::app {

/// The WASM backend as the configuration wants it. Errors as create_runtime().
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> create_wasm(const Config& config, HostKind host);

}  // namespace prx::app
