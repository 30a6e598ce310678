#pragma once

#include "init/frame_io.hpp"
#include "init/request_reader.hpp"
#include "os/cgroup_leaf.hpp"

namespace prx::init {

/// What an execution hears from.
struct Sources {
  Stream stream;
  int host_pidfd = -1;
  int signal_fd = -1;
};

/// Runs one received request to its trailer; `leaf`, where it is open, holds this process and the command.
void run_execution(const Sources& sources, const os::CgroupLeaf& leaf, FrameReader& reader,
                   ReceivedRequest& received);

}  // namespace prx::init
