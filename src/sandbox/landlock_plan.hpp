#pragma once

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "protocol/plan_encoder.hpp"
#include "sandbox/host_identity.hpp"
#include "sandbox/namespaces_plan.hpp"
#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// Refuses what walls that only allow whole trees cannot enforce: a path that is hidden, or read-only, inside of
/// what is writable. Errors: unsupported, with the kinds that can.
[[nodiscard]] Result<void> check_for_landlock(const Config& config, const Policy& policy);

/// Where slots get their own folders: a directory for temporary files that no command is granted. Empty: none.
[[nodiscard]] std::string choose_slot_base(const Policy& policy, const std::vector<std::string>& candidates,
                                           const HostView& host);

/// Pure: what slots of kind `landlock` are made of. Of `policy`, only what check_for_landlock() has passed.
[[nodiscard]] protocol::PlanFields plan_landlock(const Policy& policy, const HostIdentity& identity,
                                                 const std::string& slot_base, const KernelFacts& kernel,
                                                 const HostView& host);

/// The rules alone, for a kind that has Landlock beside another wall.
void add_landlock_rules(const Policy& policy, const HostIdentity& identity, const KernelFacts& kernel,
                        const HostView& host, protocol::PlanFields& plan);

}  // namespace prx::sandbox
