#pragma once

namespace prx::init {

/// What an executed prx-init does first: default signal dispositions (a host's ignored signals survive exec),
/// SIGCHLD blocked, a name, not dumpable, orphans come here. Returns a signalfd for SIGCHLD, or -errno.
int prepare_process();

/// For a fork of a prepared process: what it did not inherit. Its signalfd serves here, too, since a signalfd
/// tells of the signals of whoever asks it.
void prepare_forked_process();

/// Takes the SIGCHLD that the signalfd tells of. It is never queued twice: there is no second one.
void take_child_signal(int signal_fd);

/// For the child that becomes the command: no signal blocked.
void unblock_all_signals();

}  // namespace prx::init
