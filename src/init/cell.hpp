#pragma once

#include "init/execution.hpp"
#include "init/namespaces.hpp"
#include "init/slot_folder.hpp"

namespace prx::init {

/// What a slot is made with: its confinement, and what was made ahead for it. Descriptors are the slot's
/// once it has begun, and the spawner's copies are closed by it.
struct Cell {
  const protocol::SlotPlan* plan = nullptr;  ///< null: not confined
  int network = -1;                          ///< a network namespace, or -errno
  Identity identity;
  const SlotFolders* folders = nullptr;  ///< where the slot gets a folder of its own; null: nowhere
  std::uint32_t slot = 0;                ///< its number
  int plan_fd = -1;                      ///< the encoded plan, for a launched slot to read
  bool inside = false;                   ///< a launcher has made the slot, and started this process in it

  [[nodiscard]] bool is_to_be_launched() const {
    return plan != nullptr && plan->confinement == protocol::Confinement::launcher && !inside;
  }
};

/// Confines the calling process, a slot that nothing runs in yet, and what it starts later.
[[nodiscard]] ConfineResult confine(const Cell& cell, Confined& confined);

}  // namespace prx::init
