#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <prx/result.hpp>

#include "base/deadline.hpp"

namespace prx::io {

/// How long a call may wait, and what ends it sooner.
struct Patience {
  base::Deadline deadline;
  int cancelled_fd = -1;  ///< readable: give up; -1: nothing ends it sooner

  [[nodiscard]] static Patience of(std::chrono::milliseconds time, int cancelled_fd = -1) {
    return {base::Deadline::after(time), cancelled_fd};
  }
  /// The same, and not longer than `time` from now.
  [[nodiscard]] Patience at_most(std::chrono::milliseconds time) const {
    return {deadline.sooner(time), cancelled_fd};
  }
};

// On the calling thread, over a descriptor of any kind that can be polled, blocking or not. Errors of step
// "stream": disconnected, with errno ETIMEDOUT, ECANCELED, or what the kernel says.

/// Waits until one of `events` (poll(2)) is there, or an error or hang-up.
[[nodiscard]] Result<void> wait_for(int fd, short events, const Patience& patience);
/// At least one byte; 0 at the end of the stream.
[[nodiscard]] Result<std::size_t> read_some(int fd, std::span<char> to, const Patience& patience);
/// Of a socket: the same without taking the bytes.
[[nodiscard]] Result<std::size_t> peek_some(int socket, std::span<char> to, const Patience& patience);
/// Of a socket.
[[nodiscard]] Result<void> write_all(int socket, std::string_view bytes, const Patience& patience);

}  // namespace prx::io
