#pragma once

#include <cstdint>

#include "init/confine_result.hpp"
#include "os/cgroup_leaf.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::init {

/// The directories that slots get their groups in; -1: none there.
struct GroupParents {
  int directories[protocol::kHierarchies] = {-1, -1, -1};

  [[nodiscard]] int of(protocol::Hierarchy hierarchy) const {
    return directories[static_cast<std::size_t>(hierarchy)];
  }
  void remove_forgotten() const;
};

/// What a slot's groups tell, through descriptors that were opened while there was the right to.
struct GroupStats {
  int peak = -1;    ///< memory.peak, memory.max_usage_in_bytes
  int events = -1;  ///< memory.events, memory.oom_control
  int cpu = -1;     ///< cpu.stat, of v2

  [[nodiscard]] std::uint64_t peak_bytes() const;
  [[nodiscard]] std::uint32_t oom_kills() const;
  [[nodiscard]] std::uint64_t cpu_us() const;
  void close();
};

/// The groups of one slot, one in each hierarchy that the spawner was given. They are never used again: a
/// limit or a peak of one command says nothing about another.
class SlotGroups {
 public:
  SlotGroups() = default;
  /// Some that were made before, or none; to be ended and removed.
  static SlotGroups named(const GroupParents& parents, os::CgroupLeaf::Name name);

  /// Makes them and sets the plan's limits. What the plan does not require may be missing: the v2 group is
  /// only there to end a tree at once, and the loop over the descendants does it without.
  [[nodiscard]] ConfineResult create(const GroupParents& parents, os::CgroupLeaf::Name name,
                                     const protocol::SlotPlan* plan);
  /// Moves the calling process into all of them; into the v2 group only where it did not begin there.
  [[nodiscard]] ConfineResult enter(bool began_in_unified) const;

  [[nodiscard]] const os::CgroupLeaf& unified() const { return leaf(protocol::Hierarchy::unified); }
  /// For a kernel that cannot start a process in it.
  void give_up_unified();
  [[nodiscard]] bool requires_unified() const { return required_[0] != nullptr; }
  [[nodiscard]] const GroupStats& stats() const { return stats_; }
  [[nodiscard]] bool limits_memory() const { return stats_.events >= 0; }

  /// Where the spawner is gone, which would have removed them: leaves and removes them.
  void remove_where_orphaned();
  void kill() const { unified().kill(); }
  void close();
  void remove();

 private:
  [[nodiscard]] const os::CgroupLeaf& leaf(protocol::Hierarchy hierarchy) const {
    return leaves_[static_cast<std::size_t>(hierarchy)];
  }
  void open_stats();

  os::CgroupLeaf leaves_[protocol::kHierarchies];
  const char* required_[protocol::kHierarchies] = {};  // the first control that must be there
  GroupStats stats_;
};

}  // namespace prx::init
