#pragma once

#include "init/cell.hpp"

namespace prx::init {

/// The spawner's plan, and what slots of it need that takes long to make: one cell is kept made ahead.
class CellStock {
 public:
  /// Reads the plan behind a descriptor and prepares this process to carry it out. What goes wrong is told to
  /// every slot.
  void open(int plan_fd);

  [[nodiscard]] bool confines() const { return plan_.confinement != protocol::Confinement::none; }
  [[nodiscard]] const protocol::SlotPlan& plan() const { return plan_; }
  [[nodiscard]] const ConfineResult& problem() const { return problem_; }

  /// Whether prepare() would make something.
  [[nodiscard]] bool is_empty() const { return needs_stock_ && !tried_; }
  void prepare();
  /// The cell for one slot; release() closes what the spawner still holds of it.
  Cell take(ConfineResult& result);
  static void release(Cell& cell);
  [[nodiscard]] SlotFolders& folders() { return folders_; }

 private:
  ConfineResult make(Cell& cell);
  [[nodiscard]] std::uint32_t next_id();

  protocol::SlotPlan plan_;
  SlotFolders folders_;
  int plan_fd_ = -1;
  bool has_plan_ = false;
  bool needs_stock_ = false;
  bool tried_ = false;  // since the last one was taken: what failed is not tried for ever
  bool ready_ = false;
  Cell stock_;
  ConfineResult problem_;
  std::uint32_t ids_given_ = 0;
};

}  // namespace prx::init
