#include "core/given_fd.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>

#include "base/try.hpp"
#include "io/assign.hpp"
#include "os/pipe.hpp"

namespace prx::core {
namespace {

/// A pipe, a terminal or a device can be opened once more, as an open file of our own; what cannot is a
/// socket, or somebody else's.
base::Fd open_again(int fd, int access) {
  const auto path = "/proc/self/fd/" + std::to_string(fd);
  return base::Fd(::open(path.c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace

Result<void> GivenFd::open(int fd) {
  PRX_TRY(fd_, open_own(fd));
  return watch();
}

Result<void> GivenFd::watch() {
  base::Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.is_open()) return os::system_error("epoll", errno);
  epoll_event event{};
  event.events = use_ == Use::read ? EPOLLIN : EPOLLOUT;
  if (::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd_.get(), &event) == 0)
    return io::assign(watch_, std::move(epoll));
  if (errno == EPERM) return {};  // always ready
  return os::system_error("epoll", errno);
}

Result<base::Fd> GivenFd::open_own(int fd) {
  struct stat status{};
  const bool known = ::fstat(fd, &status) == 0;
  if (known && S_ISSOCK(status.st_mode)) {
    manner_ = Manner::message;
    return os::duplicate(fd);
  }
  const bool file = known && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode) || S_ISDIR(status.st_mode));
  // A file's offset is the caller's, too: that one is not opened again.
  if (file || (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0) return os::duplicate(fd);
  auto again = open_again(fd, use_ == Use::read ? O_RDONLY : O_WRONLY);
  if (again.is_open()) return again;
  manner_ = Manner::careful;
  return os::duplicate(fd);
}

bool GivenFd::would_block() const {
  pollfd one{fd_.get(), static_cast<short>(use_ == Use::read ? POLLIN : POLLOUT), 0};
  return ::poll(&one, 1, 0) <= 0;
}

ssize_t GivenFd::read(std::span<char> to) {
  const int fd = fd_.get();
  if (manner_ == Manner::message) return ::recv(fd, to.data(), to.size(), MSG_DONTWAIT);
  if (manner_ == Manner::careful && would_block()) {
    errno = EAGAIN;
    return -1;
  }
  return ::read(fd, to.data(), to.size());
}

ssize_t GivenFd::write(std::string_view bytes) {
  const int fd = fd_.get();
  if (manner_ == Manner::message) return ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (manner_ != Manner::careful) return ::write(fd, bytes.data(), bytes.size());
  if (would_block()) {
    errno = EAGAIN;
    return -1;
  }
  // What a pipe that is writable takes without blocking.
  return ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

void GivenFd::close() {
  boost::system::error_code ignored;
  watch_.close(ignored);
  fd_.reset();
}

}  // namespace prx::core
