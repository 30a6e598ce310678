#pragma once

#include "init/execution.hpp"

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. The stream is a
/// local slot's socket, and its signal_fd what init/process.hpp prepared; below `cgroup` (a directory's
/// descriptor, or -1) the slot makes a group for its command.
int run_slot(const Sources& sources, int cgroup);

/// Tells the host that there is no slot behind `stream`, and why: an errno.
void refuse_slot(int stream, int error);

}  // namespace prx::init
