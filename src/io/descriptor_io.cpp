#include "io/descriptor_io.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/try.hpp"

namespace prx::io {
namespace {

Error stream_error(int error_number) {
  return {ErrorKind::disconnected, "stream", {}, error_number, {}, {}};
}

bool is_transient(int error_number) {
  return error_number == EINTR || error_number == EAGAIN;
}

Result<std::size_t> receive(int socket, std::span<char> to, int flags, const Patience& patience) {
  for (;;) {
    PRX_CHECK(wait_for(socket, POLLIN, patience));
    const auto size = ::recv(socket, to.data(), to.size(), flags | MSG_DONTWAIT);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (!is_transient(errno)) return stream_error(errno);
  }
}

}  // namespace

Result<void> wait_for(int fd, short events, const Patience& patience) {
  for (;;) {
    std::array<pollfd, 2> fds{{{fd, events, 0}, {patience.cancelled_fd, POLLIN, 0}}};
    const int ready = ::poll(fds.data(), fds.size(), patience.deadline.poll_timeout());
    if (ready < 0 && errno != EINTR) return stream_error(errno);
    if (ready > 0 && fds[1].revents != 0) return stream_error(ECANCELED);
    if (ready > 0 && fds[0].revents != 0) return {};
    if (patience.deadline.has_passed()) return stream_error(ETIMEDOUT);
  }
}

Result<std::size_t> read_some(int fd, std::span<char> to, const Patience& patience) {
  for (;;) {
    PRX_CHECK(wait_for(fd, POLLIN, patience));
    const auto size = ::read(fd, to.data(), to.size());
    if (size >= 0) return static_cast<std::size_t>(size);
    if (!is_transient(errno)) return stream_error(errno);
  }
}

Result<std::size_t> peek_some(int socket, std::span<char> to, const Patience& patience) {
  return receive(socket, to, MSG_PEEK, patience);
}

Result<void> write_all(int socket, std::string_view bytes, const Patience& patience) {
  while (!bytes.empty()) {
    const auto size = ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
      continue;
    }
    if (!is_transient(errno)) return stream_error(errno);
    PRX_CHECK(wait_for(socket, POLLOUT, patience));
  }
  return {};
}

}  // namespace prx::io
