#pragma once

#include <prx/result.hpp>

#include "os/launch.hpp"

namespace prx::core {

/// Starts prx-init in a role ("spawner", "slot"): the embedded image from a sealed memfd or, where executing
/// one is forbidden, an installed file with exactly the same bytes that nobody but root or this user could
/// have written. `stream` becomes its descriptor 3, `host_pidfd` its descriptor 4, `cgroup` (where slots may
/// make groups, or -1) its descriptor 5.
/// Errors: exhausted, denied, setup_failed.
[[nodiscard]] Result<os::Launched> launch_init(const char* role, int stream, int host_pidfd, int cgroup);

}  // namespace prx::core
