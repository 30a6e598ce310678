#pragma once

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::os {

struct FdPair {
  base::Fd first;
  base::Fd second;
};

/// A close-on-exec pipe: `first` reads, `second` writes. Error kind exhausted, step "pipe".
[[nodiscard]] Result<FdPair> open_pipe();

/// A pair of connected, close-on-exec unix sockets of `type` (SOCK_STREAM, SOCK_SEQPACKET). Error kind
/// exhausted, step "socketpair".
[[nodiscard]] Result<FdPair> open_socket_pair(int type);

/// A close-on-exec duplicate. Error kinds invalid_request (not open), exhausted; step "dup".
[[nodiscard]] Result<base::Fd> duplicate(int fd);

[[nodiscard]] Result<void> set_nonblocking(int fd);

/// Whether errno says that some resource of the system or the process is used up for now.
[[nodiscard]] bool is_exhaustion(int error_number) noexcept;

/// exhausted or setup_failed, as errno says, with a hint for the common limits.
[[nodiscard]] Error system_error(const char* step, int error_number);

}  // namespace prx::os
