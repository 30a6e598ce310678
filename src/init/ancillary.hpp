#pragma once

#include <cstddef>
#include <span>

namespace prx::init {

/// Receives up to `size` bytes and the descriptors that came with them; those that `fds` has no room for are
/// closed, and its unused places keep -1. Returns the number of bytes, 0 at the end, or -errno.
long receive_with_fds(int socket, void* to, std::size_t size, std::span<int> fds);

/// Sends bytes with one descriptor attached (none for -1). Returns the number of bytes or -errno.
long send_with_fd(int socket, const void* from, std::size_t size, int fd);

}  // namespace prx::init
