#pragma once

#include "init/cell.hpp"

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. The stream is a
/// local slot's socket, and its signal_fd what init/process.hpp prepared; `leaf`, where it is open, holds
/// this process and what it starts; the spawner removes it. It is confined before it waits.
int run_slot(const Sources& sources, os::CgroupLeaf leaf, const Cell& cell);

/// The slot that a container is: process 1 of it, with the engine's pipes for stdin and stdout as its stream.
int run_container(int signal_fd);

/// Tells the host that there is no slot behind `stream`, and why.
void refuse_slot(int stream, const ConfineResult& why);

}  // namespace prx::init
