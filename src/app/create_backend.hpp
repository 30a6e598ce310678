#pragma once

#include <memory>

#include <prx/config.hpp>
#include <prx/runtimes.hpp>

namespace prx::app {

/// The bare runtime of one backend, without tools, policy and audit: only what create_runtime() returns is
/// for callers. Errors as create_runtime().
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> create_backend(const Config& config,
                                                                     BackendChoice choice, HostKind host);

}  // namespace prx::app
