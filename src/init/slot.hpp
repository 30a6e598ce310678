#pragma once

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. `stream` is a local
/// slot's socket; `host_pidfd` tells when the host has ended (-1: only the stream's end tells); below `cgroup` (a
/// directory's descriptor, or -1) the slot makes a group for its command.
int run_slot(int stream, int host_pidfd, int cgroup);

}  // namespace prx::init
