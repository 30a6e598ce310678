#pragma once

#include "init/cell.hpp"

namespace prx::init {

/// The spawner's plan, and what slots of it need that takes long to make: one cell is kept made ahead.
class CellStock {
 public:
  /// Slots get groups below these.
  void use_groups(const GroupParents& parents);
  /// Reads the plan behind a descriptor and prepares this process to carry it out. What goes wrong is told to
  /// every slot.
  void open(int plan_fd);

  /// Whether prepare() would make something.
  [[nodiscard]] bool is_empty() const { return needs_stock_ && !tried_; }
  void prepare();
  /// The cell for one slot; release() closes what the spawner still holds of it. Nothing is made ahead any
  /// more where no other will be taken.
  Cell take(ConfineResult& result, bool more);
  static void release(Cell& cell);
  /// Removes what was made for a slot that will not come.
  void drop();

 private:
  ConfineResult make(Cell& cell);
  [[nodiscard]] std::uint32_t next_id();

  protocol::SlotPlan plan_;
  bool has_plan_ = false;
  bool needs_stock_ = false;
  bool tried_ = false;  // since the last one was taken: what failed is not tried for ever
  bool ready_ = false;
  Cell stock_;
  ConfineResult problem_;
  GroupParents parents_;
  std::uint32_t ids_given_ = 0;
  int groups_made_ = 0;
};

}  // namespace prx::init
