#pragma once

#include <string>

#include "protocol/plan_encoder.hpp"
#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// The kernel's walls, as far as a plan depends on them.
struct KernelFacts {
  int landlock_abi = 0;       ///< 0: none
  bool has_listener = false;  ///< a filter may notify prx-init
};

/// Where a command finds the ssh agent's socket.
inline constexpr const char* kSshAgentPlace = "/run/ssh-agent";

/// Pure: what slots of kind `namespaces` are made of.
[[nodiscard]] protocol::PlanFields plan_namespaces(const Policy& policy, const KernelFacts& kernel,
                                                   const HostView& host);

}  // namespace prx::sandbox
