#pragma once

#include "init/execution.hpp"
#include "init/groups.hpp"
#include "init/namespaces.hpp"

namespace prx::init {

/// What a slot is made with: its confinement, and what was made ahead for it. Descriptors are the slot's
/// once it has begun, and the spawner's copies are closed by it.
struct Cell {
  const protocol::SlotPlan* plan = nullptr;  ///< null: not confined
  int network = -1;                          ///< a network namespace, or -errno
  Identity identity;
  int group = 0;  ///< the number in the groups' name
  SlotGroups groups;
};

/// Confines the calling process, a slot that nothing runs in yet, and what it starts later.
[[nodiscard]] ConfineResult confine(const Cell& cell, Confined& confined);

}  // namespace prx::init
