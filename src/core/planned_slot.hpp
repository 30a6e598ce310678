#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <prx/output.hpp>
#include <prx/result.hpp>

#include "base/fd.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::core {

/// How slots are made, and what the output of their command says of it.
struct PlannedSlot {
  std::string plan;  ///< protocol::PlanFields, encoded
  std::array<std::string, protocol::kHierarchies>
      groups;  ///< where they get groups; an empty one: none there
  std::vector<EnforcedLimit> enforced;
  bool limits_cpu_of_terminals = true;
};

/// How slots are made, now. The same object for as long as it holds. Any thread.
using PlanSource = std::function<Result<std::shared_ptr<const PlannedSlot>>()>;

/// The plan, for prx-init to read: in a pipe where it fits, since a system may forbid memory files and limit
/// the size of any file, and in a memory file otherwise. Errors: as open_memory_file(), exhausted.
[[nodiscard]] Result<base::Fd> open_plan(const PlannedSlot& planned);

}  // namespace prx::core
