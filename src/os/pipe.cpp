#include "os/pipe.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace prx::os {
namespace {

const char* exhaustion_hint(int error_number) {
  switch (error_number) {
    case EMFILE:
      return "this process has reached its limit of open files: raise it (ulimit -n) or run fewer commands "
             "at once";
    case ETOOMANYREFS:
      return "too many descriptors are on their way between processes: raise the limit of open files (ulimit "
             "-n) or run fewer commands at once";
    case ENFILE:
      return "the system has reached its limit of open files (fs.file-max)";
    case EAGAIN:
      return "out of processes: raise the limit (ulimit -u, pids.max) or run fewer commands at once";
    case ENOMEM:
    case ENOBUFS:
      return "out of memory: free some or run fewer commands at once";
    default:
      return "";
  }
}

}  // namespace

bool is_exhaustion(int error_number) noexcept {
  return error_number == EMFILE || error_number == ENFILE || error_number == EAGAIN ||
         error_number == ENOMEM || error_number == ENOBUFS || error_number == ENOSPC ||
         error_number == ETOOMANYREFS;
}

Error system_error(const char* step, int error_number) {
  const auto kind = is_exhaustion(error_number) ? ErrorKind::exhausted : ErrorKind::setup_failed;
  return {kind, step, {}, error_number, {}, exhaustion_hint(error_number)};
}

Result<FdPair> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("pipe", errno);
  return FdPair{base::Fd(ends[0]), base::Fd(ends[1])};
}

Result<FdPair> open_socket_pair(int type) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return system_error("socketpair", errno);
  return FdPair{base::Fd(ends[0]), base::Fd(ends[1])};
}

Result<base::Fd> duplicate(int fd) {
  // Above 2, so that a closed standard stream of the host is never taken.
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (copy >= 0) return base::Fd(copy);
  if (errno != EBADF) return system_error("dup", errno);
  return Error{ErrorKind::invalid_request, "dup", "descriptor " + std::to_string(fd), errno,
               "not an open descriptor",   {}};
}

Result<void> set_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return system_error("fcntl", errno);
  return {};
}

}  // namespace prx::os
