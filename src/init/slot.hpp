#pragma once

#include "init/execution.hpp"

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. The stream is a
/// local slot's socket, and its signal_fd what init/process.hpp prepared; `leaf`, where it is open, holds
/// this process and what it starts; the spawner removes it.
int run_slot(const Sources& sources, os::CgroupLeaf leaf);

/// Tells the host that there is no slot behind `stream`, and why: an errno.
void refuse_slot(int stream, int error);

}  // namespace prx::init
