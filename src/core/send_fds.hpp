#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>

#include "base/fd.hpp"

namespace prx::core {

inline constexpr std::size_t kMaxPassedFds = 3;

/// sendmsg with up to kMaxPassedFds descriptors attached; never raises SIGPIPE, retries EINTR. Returns what
/// sendmsg does.
ssize_t send_with_fds(int socket, std::span<const std::byte> bytes, std::span<const int> fds, int flags);

/// recvmsg that takes at most one descriptor; more are closed and counted as `too_many`.
struct Received {
  ssize_t size = -1;
  base::Fd fd;
  bool too_many = false;
};
Received receive_with_fd(int socket, std::span<std::byte> to);

}  // namespace prx::core
