#pragma once

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. `stream` is a local
/// slot's socket; `host_pidfd` tells when the host has ended (-1: only the stream's end tells).
int run_slot(int stream, int host_pidfd);

/// Tells the host that there is no slot behind `stream`, and why: an errno.
void refuse_slot(int stream, int error);

}  // namespace prx::init
