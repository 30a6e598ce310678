#pragma once

#include <array>
#include <functional>

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

/// What starts a program that makes slots: launch_init(), or one that has an engine in it.
using LaunchSlots = std::function<Result<os::Launched>(const char* role, const InitDescriptors& descriptors)>;

}  // namespace prx::core
