#pragma once

#include <memory>

#include <prx/runtimes.hpp>

namespace prx::app {

/// The docker backend as the configuration and this machine make it. Errors as create_runtime().
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> create_docker(const Config& config, HostKind host);

}  // namespace prx::app
