#pragma once

namespace prx::init {

/// One slot: waits for a request, runs it, ends everything it started, reports and ends. `stream` is a local
/// slot's socket; `host_pidfd` tells when the host has ended (-1: only the stream's end tells); `signal_fd` is what
/// init/process.hpp prepared.
int run_slot(int stream, int host_pidfd, int signal_fd);

}  // namespace prx::init
