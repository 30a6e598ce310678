#pragma once

#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/output.hpp>
#include <prx/result.hpp>

#include "core/planned_slot.hpp"
#include "os/cgroup.hpp"
#include "protocol/plan_encoder.hpp"

namespace prx::sandbox {

/// What there is to enforce limits with.
struct LimitFacts {
  os::CgroupPlaces groups;
  std::array<rlimit, RLIM_NLIMITS> inherited{};  ///< this process's own, by RLIMIT_*
  std::uint32_t cpus = 1;
  /// RLIMIT_NPROC counts the processes of one slot and nobody else's: it is in a user namespace under an id
  /// that is not root's. (Root is never held to it, and elsewhere it counts all that the user runs.)
  bool counts_own_processes = false;
};

/// Reads them of this process and machine, for slots of the configured kind.
[[nodiscard]] LimitFacts read_limit_facts(const Config& config);

/// How `[security.resources]` is held: the same for every kind of sandbox.
struct LimitPlan {
  std::vector<protocol::PlannedRlimit> rlimits;
  std::vector<protocol::ControlFields> controls;
  protocol::PlannedWatch watch;
  std::array<std::string, protocol::kHierarchies> groups;  ///< where slots get groups; empty: none
  std::vector<EnforcedLimit> enforced;
  std::vector<std::string> warnings;  ///< of defaults that nothing can enforce
};

/// Pure. A limit that was set (in a program: is not its default) and cannot be enforced is an error of kind
/// unsupported, which names the key and its place; a default is done without, with a warning.
[[nodiscard]] Result<LimitPlan> plan_limits(const Config& config, const LimitFacts& facts);

/// A slot of this plan and under these limits.
[[nodiscard]] core::PlannedSlot plan_slot(protocol::PlanFields plan, const LimitPlan& limits);

}  // namespace prx::sandbox
