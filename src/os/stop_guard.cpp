#include "os/stop_guard.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "os/signal_mask.hpp"

namespace prx::os {
namespace {

int wait_for(int pidfd, siginfo_t& info, int what) noexcept {
  return ::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd), &info, what);
}

/// A thread that waits, and no SIGCHLD: what the host does about that signal is its own affair.
void continue_until_ended(int pidfd) noexcept {
  for (;;) {
    siginfo_t info{};
    // Left unreaped: its exit code is for whoever started it.
    if (wait_for(pidfd, info, WSTOPPED | WEXITED | WNOWAIT) != 0) {
      if (errno == EINTR) continue;
      return;  // reaped already
    }
    if (info.si_code != CLD_STOPPED) return;
    wait_for(pidfd, info, WSTOPPED | WNOHANG);  // or the same stop would be reported again
    ::syscall(SYS_pidfd_send_signal, pidfd, SIGCONT, nullptr, 0);
  }
}

std::thread start_thread(int pidfd) {
  const AllSignalsBlocked guard;
  return std::thread([pidfd] {
    pthread_setname_np(pthread_self(), "prx-stop-guard");
    continue_until_ended(pidfd);
  });
}

}  // namespace

StopGuard::StopGuard(int pidfd) : thread_(start_thread(pidfd)) {}

StopGuard::~StopGuard() {
  thread_.join();
}

}  // namespace prx::os
