#pragma once

#include <memory>

#include <prx/runtime.hpp>

#include "backends/docker/docker_slots.hpp"
#include "backends/docker/endpoint.hpp"
#include "core/settings.hpp"

namespace prx::backends {

/// Commands in containers of the daemon at `endpoint`, each in one of its own. Talks to nobody until it is
/// used.
[[nodiscard]] std::unique_ptr<RuntimeAdapter> make_docker_runtime(core::Settings settings, DockerPlan plan,
                                                                  Endpoint endpoint);

}  // namespace prx::backends
