#pragma once

#include <sys/stat.h>
#include <array>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

#include "os/launch.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::core {

/// Starts prx-init in a role ("spawner", "slot"): the embedded image from a sealed memfd or, where executing
/// one is forbidden, an installed file with exactly the same bytes that nobody but root or this user could
/// have written. The descriptors are those of src/init/sys.hpp.
/// Errors: exhausted, denied, setup_failed.
struct InitDescriptors {
  int stream = -1;
  int host_pidfd = -1;
  int plan = -1;  ///< how slots are confined (protocol/slot_plan.hpp); -1: not at all
  std::array<int, protocol::kHierarchies> groups{-1, -1, -1};  ///< where slots get groups; -1: nowhere
};
[[nodiscard]] Result<os::Launched> launch_init(const char* role, const InitDescriptors& descriptors);

/// Where a program that comes with prx may lie: beside this program, in the installation that it or the
/// plugin with libprx in it lies in, and where this build is installed by default. Best first.
[[nodiscard]] std::vector<std::string> installed_places(std::string_view name);

/// Nobody else could have written it, and nobody else will between the look and the execution.
[[nodiscard]] bool is_trusted(const struct stat& status);

/// What starts a program that makes slots: launch_init(), or one that has an engine in it.
using LaunchSlots = std::function<Result<os::Launched>(const char* role, const InitDescriptors& descriptors)>;

}  // namespace prx::core
