#pragma once

#include "init/frame_io.hpp"
#include "init/request_reader.hpp"

namespace prx::init {

/// Runs one received request to its trailer. Returns the exit status of prx-init.
int run_execution(const Stream& stream, int host_pidfd, int signal_fd, FrameReader& reader,
                  ReceivedRequest& received);

}  // namespace prx::init
