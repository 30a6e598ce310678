#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/given_fd.hpp"
#include "core/handler_owner.hpp"
#include "core/input_sink.hpp"

namespace prx::core {

/// Reads a descriptor of the caller's into a command's stdin, as the command takes it. On the reactor.
class InputPump : public std::enable_shared_from_this<InputPump> {
 public:
  explicit InputPump(boost::asio::io_context& context) : from_(context, GivenFd::Use::read) {}

  Result<void> open(int fd) { return from_.open(fd); }
  void start(std::shared_ptr<InputSink> to, std::shared_ptr<HandlerOwner> owner);
  /// Whether nothing was read yet.
  [[nodiscard]] bool is_untouched() const noexcept { return untouched_; }
  void close();

 private:
  enum class Step : unsigned char { moved, wait_for_source, wait_for_sink, done };

  void pump();
  [[nodiscard]] Step move_once();
  [[nodiscard]] Step fill();

  GivenFd from_;
  std::shared_ptr<InputSink> to_;
  std::shared_ptr<HandlerOwner> owner_;
  std::unique_ptr<std::array<char, 64U << 10U>> buffer_;
  std::string_view waiting_;  // in the buffer
  bool untouched_ = true;
};

/// Writes what a command prints to a descriptor of the caller's, as that takes it. On the reactor.
class OutputPump : public std::enable_shared_from_this<OutputPump> {
 public:
  struct Events {
    std::function<void(std::uint32_t bytes)> written;  ///< or thrown away
    /// Nothing more can be written there.
    std::function<void(int error)> refused;
    /// Nothing waits any more.
    std::function<void()> flushed;
  };

  explicit OutputPump(boost::asio::io_context& context) : to_(context, GivenFd::Use::write) {}

  Result<void> open(int fd) { return to_.open(fd); }
  void start(Events events, std::shared_ptr<HandlerOwner> owner);
  /// Within the credit of the channel, so what waits here is bounded by that.
  void take(std::string_view bytes);
  [[nodiscard]] bool is_flushed() const noexcept { return queue_.empty(); }
  /// What waits and what still comes is thrown away.
  void abandon();
  void close();

 private:
  void pump();
  [[nodiscard]] bool write_once();
  void written(std::size_t bytes);

  GivenFd to_;
  Events events_;
  std::shared_ptr<HandlerOwner> owner_;
  std::string queue_;
  bool waiting_ = false;
};

}  // namespace prx::core
