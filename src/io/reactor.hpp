#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <thread>

namespace prx::io {

/// The one thread of a host that owns all its asynchronous executions. No signal is ever delivered to it: the
/// host's handlers run where the host expects them, and a write to a closed pipe is an error, not a SIGPIPE.
class Reactor {
 public:
  Reactor();
  /// Waits until nothing is left to wait for: whoever started something ends it first. Never from the
  /// reactor's own thread.
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// Shared, since what was made with it may outlive the reactor and is destroyed through it.
  [[nodiscard]] const std::shared_ptr<boost::asio::io_context>& context() const noexcept { return context_; }
  [[nodiscard]] bool is_current_thread() const noexcept {
    return std::this_thread::get_id() == thread_.get_id();
  }

 private:
  std::shared_ptr<boost::asio::io_context> context_ = std::make_shared<boost::asio::io_context>();
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace prx::io
