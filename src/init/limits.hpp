#pragma once

#include "protocol/slot_plan.hpp"

namespace prx::init {

/// Sets the plan's limits for the calling process and what it starts: 0, or -errno. For the command's process
/// before it executes, which has a terminal or not.
[[nodiscard]] long set_rlimits(const protocol::SlotPlan& plan, bool terminal);

/// Whether a command is held to the plan's limit of cpu time.
[[nodiscard]] inline bool limits_cpu_time(const protocol::SlotPlan* plan, bool terminal) {
  return plan != nullptr && plan->watch.cpu_us != 0 && (plan->watch.terminals || !terminal);
}

/// The file that says how soon the calling process is chosen when memory runs out, for reading and writing;
/// or -errno.
[[nodiscard]] int open_own_oom_score();

/// While one exists, what this process starts is chosen before this process is, whatever its size: the
/// kernel's victim is the largest process of the group, and memory that nobody has mapped (a tmpfs, a memory
/// file) makes none of them large. prx-init has to live to tell.
class OfferedToOomKiller {
 public:
  explicit OfferedToOomKiller(int oom_score);
  ~OfferedToOomKiller();
  OfferedToOomKiller(const OfferedToOomKiller&) = delete;
  OfferedToOomKiller& operator=(const OfferedToOomKiller&) = delete;

 private:
  int oom_score_;
  int before_ = 0;
};

}  // namespace prx::init
