#pragma once

#include "init/frame_io.hpp"
#include "init/request_reader.hpp"
#include "init/slot_folder.hpp"
#include "init/tree.hpp"
#include "os/cgroup_leaf.hpp"

namespace prx::init {

/// What an execution hears from.
struct Sources {
  Stream stream;
  int host_pidfd = -1;
  int signal_fd = -1;
};

/// Where the command runs.
struct Confined {
  os::CgroupLeaf leaf;  ///< where it is open, holds this process and the command
  ProcessTree tree{false};
  FolderPath folder{};  ///< of the slot itself; empty: none
  int ruleset = -1;   ///< Landlock: entered by the command before it executes
  int listener = -1;  ///< of the seccomp filter: denials to answer and to count
};

/// Runs one received request to its trailer.
void run_execution(const Sources& sources, const Confined& confined, FrameReader& reader,
                   ReceivedRequest& received);

}  // namespace prx::init
