#include "io/reactor.hpp"

#include <pthread.h>

#include "os/signal_mask.hpp"

namespace prx::io {
namespace {

std::thread start_thread_without_signals(boost::asio::io_context& context) {
  const os::AllSignalsBlocked guard;
  return std::thread([&context] {
    pthread_setname_np(pthread_self(), "prx-reactor");
    context.run();
  });
}

}  // namespace

Reactor::Reactor() : work_(context_->get_executor()), thread_(start_thread_without_signals(*context_)) {}

Reactor::~Reactor() {
  work_.reset();
  thread_.join();
}

}  // namespace prx::io
