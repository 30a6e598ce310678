#pragma once

#include <pthread.h>

#include <csignal>

namespace prx::os {

/// No signal reaches the calling thread while this lives; a thread that it makes meanwhile inherits that.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

/// For calls that raise a signal beside their error (SIGPIPE, SIGXFSZ): blocks it in the calling thread, and
/// takes back one that was raised meanwhile, so that the host never sees it, whether it had it blocked or
/// not.
class RaisedSignalDropped {
 public:
  explicit RaisedSignalDropped(int signal) noexcept;
  ~RaisedSignalDropped();
  RaisedSignalDropped(const RaisedSignalDropped&) = delete;
  RaisedSignalDropped& operator=(const RaisedSignalDropped&) = delete;

 private:
  sigset_t set_{};
  int signal_;
  bool was_blocked_ = false;
  bool was_pending_ = false;
};

}  // namespace prx::os
