#pragma once

namespace prx::init {

/// What both roles do first: default signal dispositions (a host's ignored signals survive exec), SIGCHLD
/// blocked, a name, not dumpable, orphans come here. Returns a signalfd for SIGCHLD, or -errno.
int prepare_process();

/// A signalfd for SIGCHLD, which must be blocked.
int open_child_signals();

/// Takes what is queued on the signalfd.
void drain_child_signals(int signal_fd);

/// For the child that becomes the command: no signal blocked.
void unblock_all_signals();

}  // namespace prx::init
