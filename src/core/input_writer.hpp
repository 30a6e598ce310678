#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/handler_owner.hpp"
#include "core/input_sink.hpp"

namespace prx::core {

/// Writes a command's stdin as it takes it. On the reactor, but for the accounting, which any thread may ask.
class InputWriter {
 public:
  static constexpr std::size_t kMaxQueued = 8U << 20U;

  /// With a terminal the end is its end-of-file character.
  void start(std::shared_ptr<InputSink> sink, bool terminal, const std::shared_ptr<HandlerOwner>& owner);
  /// Whether no byte was written yet.
  [[nodiscard]] bool is_untouched() const noexcept { return untouched_; }
  /// Lets go of the sink, for another start(); what is queued waits for it or is forgotten.
  void detach(bool forget_queue);

  /// Any thread: sets room for `size` bytes aside; false when the queue is full.
  [[nodiscard]] bool reserve(std::size_t size) noexcept;
  /// Any thread: whether the command can no longer read.
  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(std::memory_order_acquire); }

  /// Queues bytes that were reserved.
  void write(std::string bytes, const std::shared_ptr<HandlerOwner>& owner);
  /// Ends the stream after what is queued.
  void end(const std::shared_ptr<HandlerOwner>& owner);
  void close();

 private:
  void pump(const std::shared_ptr<HandlerOwner>& owner);
  void wait(const std::shared_ptr<HandlerOwner>& owner);
  void finish();

  std::shared_ptr<InputSink> sink_;
  std::string queue_;
  std::size_t written_ = 0;  // of queue_
  std::atomic<std::size_t> reserved_{0};
  std::atomic<bool> closed_{false};
  bool terminal_ = false;
  bool ending_ = false;
  bool waiting_ = false;
  bool untouched_ = true;
};

}  // namespace prx::core
