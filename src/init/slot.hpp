#pragma once

#include "init/cell.hpp"

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. The stream is a
/// local slot's socket, and its signal_fd what init/process.hpp prepared; the cell's groups, where there are
/// any, hold this process (`in_unified`: already that of v2) and what it starts; the spawner removes them. It
/// is confined before it waits.
int run_slot(const Sources& sources, const Cell& cell, bool in_unified);

/// `prx-init slot`: the one slot of a host that has no spawner, with its plan where it has one.
int run_only_slot();

/// Tells the host that there is no slot behind `stream`, and why.
void refuse_slot(int stream, const ConfineResult& why);

}  // namespace prx::init
