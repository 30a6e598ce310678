#include "os/signal_mask.hpp"

#include <ctime>

namespace prx::os {
namespace {

bool is_pending(int signal) noexcept {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

}  // namespace

RaisedSignalDropped::RaisedSignalDropped(int signal) noexcept : signal_(signal) {
  sigemptyset(&set_);
  sigaddset(&set_, signal);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &set_, &before);
  was_blocked_ = sigismember(&before, signal) == 1;
  // One that waits already is the host's own.
  was_pending_ = is_pending(signal);
}

RaisedSignalDropped::~RaisedSignalDropped() {
  if (!was_pending_ && is_pending(signal_)) {
    const timespec now{0, 0};
    sigtimedwait(&set_, nullptr, &now);
  }
  if (!was_blocked_) pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

}  // namespace prx::os
