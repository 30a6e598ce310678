#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "os/raw_syscall.hpp"

/// The system calls that prx-init makes, by name. Each returns what the kernel does: a result or -errno.
namespace prx::init {

using os::as_arg;
using os::raw_syscall;

[[noreturn]] inline void exit_process(int status) {
  for (;;) raw_syscall(__NR_exit_group, status);
}
inline void close_fd(int fd) {
  if (fd >= 0) raw_syscall(__NR_close, fd);
}
inline long read_fd(int fd, void* to, std::size_t size) {
  return raw_syscall(__NR_read, fd, as_arg(to), static_cast<long>(size));
}
inline long write_fd(int fd, const void* from, std::size_t size) {
  return raw_syscall(__NR_write, fd, as_arg(from), static_cast<long>(size));
}
inline long open_path(const char* path, int flags) {
  return raw_syscall(__NR_openat, AT_FDCWD, as_arg(path), flags | O_CLOEXEC, 0);
}
inline long set_nonblocking(int fd) {
  const long flags = raw_syscall(__NR_fcntl, fd, F_GETFL);
  return flags < 0 ? flags : raw_syscall(__NR_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
}
inline long receive_message(int fd, msghdr& message, int flags) {
  return raw_syscall(__NR_recvmsg, fd, as_arg(&message), flags | MSG_CMSG_CLOEXEC);
}
inline long send_message(int fd, const msghdr& message, int flags) {
  return raw_syscall(__NR_sendmsg, fd, as_arg(&message), flags | MSG_NOSIGNAL);
}
inline long poll_fds(std::span<pollfd> fds, const timespec* timeout) {
  return raw_syscall(__NR_ppoll, as_arg(fds.data()), static_cast<long>(fds.size()), as_arg(timeout), 0, 8);
}
inline int own_pid() {
  return static_cast<int>(raw_syscall(__NR_getpid));
}

/// What mmap answers, as an address; null for an error.
inline std::byte* mapped_at(long result) {
  if (result < 0 && result > -4096) return nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a system call answers with an integer.
  return reinterpret_cast<std::byte*>(result);
}

/// Memory of its own until the process ends. Null when there is none.
inline std::byte* map_memory(std::size_t size) {
  constexpr int kReadWrite = 3;          // PROT_READ | PROT_WRITE
  constexpr int kPrivateAnonymous = 34;  // MAP_PRIVATE | MAP_ANONYMOUS
  return mapped_at(raw_syscall(__NR_mmap, 0, static_cast<long>(size), kReadWrite, kPrivateAnonymous, -1, 0));
}

/// The descriptors that prx-init is started with; 0 to 2 are /dev/null.
inline constexpr int kStreamFd = 3;   // spawner: its control socket; init: the slot's stream
inline constexpr int kHostPidFd = 4;  // readable once the host has ended
inline constexpr int kPlanFd = 5;     // how slots are confined; missing: not at all
inline constexpr int kGroupsFd = 6;   // and following, by hierarchy: where slots get groups; may be missing

/// A call that fails for another reason says nothing: what may be there is not taken to be missing, or a plan
/// would be passed over and the command run without its sandbox.
inline bool is_open(int fd) {
  return raw_syscall(__NR_fcntl, fd, F_GETFD) != -EBADF;
}

}  // namespace prx::init
