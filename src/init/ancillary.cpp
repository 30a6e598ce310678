#include "init/ancillary.hpp"

#include <cstring>

#include "init/sys.hpp"

namespace prx::init {
namespace {
constexpr std::size_t kMaxFds = 8;
}

long receive_with_fds(int socket, void* to, std::size_t size, std::span<int> fds) {
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxFds * sizeof(int))];
  iovec part{to, size};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const long received = receive_message(socket, message, 0);
  if (received < 0 || message.msg_controllen < sizeof(cmsghdr)) return received;

  const auto* header = reinterpret_cast<const cmsghdr*>(control);
  if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return received;
  const auto count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count; ++i) {
    int fd = -1;
    memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
    if (i < fds.size()) {
      fds[i] = fd;
    } else {
      close_fd(fd);
    }
  }
  return received;
}

long send_with_fd(int socket, const void* from, std::size_t size, int fd) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec part{const_cast<void*>(from), size};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    auto* header = reinterpret_cast<cmsghdr*>(control);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &fd, sizeof(int));
  }
  return send_message(socket, message, 0);
}

}  // namespace prx::init
