#pragma once

#include <span>
#include <string>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "backends/docker/docker_slots.hpp"
#include "core/settings.hpp"

namespace prx::backends {

/// What commands in containers get from the configuration; reads nothing else. Errors: unsupported (a rule of
/// [security] that was asked for and that a container cannot be held to), invalid_request.
[[nodiscard]] Result<core::Settings> make_docker_settings(const Config& config,
                                                          std::span<const std::string> host_env);

/// What their containers are, without the shares and the user, which depend on this machine.
[[nodiscard]] DockerPlan make_docker_plan(const Config& config, const std::string& docker_config_folder);

}  // namespace prx::backends
