#pragma once

#include "init/frame_io.hpp"
#include "init/groups.hpp"
#include "init/request_reader.hpp"
#include "init/tree.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::init {

/// What an execution hears from.
struct Sources {
  Stream stream;
  int host_pidfd = -1;
  int signal_fd = -1;
};

/// Where the command runs.
struct Confined {
  int stream = -1;                           ///< of the slot, for reading
  const protocol::SlotPlan* plan = nullptr;  ///< null: not confined
  SlotGroups groups;                         ///< hold this process and the command
  ProcessTree tree{false};
  int ruleset = -1;    ///< Landlock: entered by the command before it executes
  int listener = -1;   ///< of the seccomp filter: denials to answer and to count
  int oom_score = -1;  ///< this process's, for writing
};

/// Runs one received request to its trailer.
void run_execution(const Sources& sources, const Confined& confined, FrameReader& reader,
                   ReceivedRequest& received);

}  // namespace prx::init
