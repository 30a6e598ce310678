#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <span>
#include <string_view>
#include <utility>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::core {

/// A descriptor of the caller's that the reactor itself reads or writes. It must neither block nor be made
/// non-blocking: that is a property of the open file, which the caller, and whoever it got it from, share.
class GivenFd {
 public:
  enum class Use : unsigned char { read, write };

  GivenFd(boost::asio::io_context& context, Use use) : watch_(context), use_(use) {}

  /// `fd` stays the caller's. Error kind exhausted.
  Result<void> open(int fd);

  /// As the system calls, with EAGAIN where those would block.
  [[nodiscard]] ssize_t read(std::span<char> to);
  [[nodiscard]] ssize_t write(std::string_view bytes);

  /// Calls `ready` when it is worth trying again. Never from within this call, and not once it is closed.
  template <class F>
  void when_ready(F&& ready) {
    auto if_open = [this, ready = std::forward<F>(ready)](const auto&...) mutable {
      if (fd_.is_open()) ready();
    };
    if (watch_.is_open()) return watch_.async_wait(watch_.wait_read, std::move(if_open));
    boost::asio::post(watch_.get_executor(), std::move(if_open));
  }

  [[nodiscard]] bool is_open() const noexcept { return fd_.is_open(); }
  void close();

 private:
  enum class Manner : unsigned char {
    plain,    ///< a file, or non-blocking already
    message,  ///< a socket: each call says that it must not block
    careful,  ///< only what poll() promises
  };

  Result<base::Fd> open_own(int fd);
  Result<void> watch();
  [[nodiscard]] bool would_block() const;

  base::Fd fd_;
  /// An epoll that holds the descriptor, since Asio makes what it waits for non-blocking. Not open for what
  /// is always ready, such as a file.
  boost::asio::posix::stream_descriptor watch_;
  Use use_;
  Manner manner_ = Manner::plain;
};

}  // namespace prx::core
