#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include <prx/runtime.hpp>

namespace prx::test {

/// What the events of one execution said, and in which order. Must outlive the execution.
class OutputLog {
 public:
  [[nodiscard]] ExecutionEvents events();

  /// Whether stdout has said `text` by the deadline.
  [[nodiscard]] bool wait_for(std::string_view text,
                              std::chrono::milliseconds deadline = std::chrono::seconds(20));
  [[nodiscard]] bool wait_for_end(std::chrono::milliseconds deadline = std::chrono::seconds(20));

  [[nodiscard]] std::string text(Channel channel = Channel::out) const;
  [[nodiscard]] std::uint64_t missed(Channel channel = Channel::out) const;
  [[nodiscard]] int endings() const;
  [[nodiscard]] bool output_after_end() const;

 private:
  struct Stream {
    std::string text;
    std::uint64_t missed = 0;
  };
  [[nodiscard]] Stream& stream(Channel channel) { return channel == Channel::out ? out_ : err_; }
  [[nodiscard]] const Stream& stream(Channel channel) const { return channel == Channel::out ? out_ : err_; }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Stream out_;
  Stream err_;
  int endings_ = 0;
  bool output_after_end_ = false;
};

}  // namespace prx::test
