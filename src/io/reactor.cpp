#include "io/reactor.hpp"

#include <pthread.h>

#include <csignal>

namespace prx::io {
namespace {

sigset_t only_sigpipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

/// A thread inherits the mask of the one that makes it.
std::thread start_thread_without_signals(boost::asio::io_context& context) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread([&context] {
    pthread_setname_np(pthread_self(), "prx-reactor");
    context.run();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

Reactor::Reactor() : work_(context_->get_executor()), thread_(start_thread_without_signals(*context_)) {}

Reactor::~Reactor() {
  work_.reset();
  thread_.join();
}

SigpipeGuard::SigpipeGuard() {
  const auto set = only_sigpipe();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  was_blocked_ = sigismember(&before, SIGPIPE) == 1;
}

SigpipeGuard::~SigpipeGuard() {
  if (was_blocked_) return;
  const auto set = only_sigpipe();
  sigset_t pending;
  sigpending(&pending);
  if (sigismember(&pending, SIGPIPE) == 1) {
    const timespec now{0, 0};
    sigtimedwait(&set, nullptr, &now);
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace prx::io
