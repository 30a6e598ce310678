// What prx-init's command.cpp and cell.cpp are to a program that is executed, for one that an engine runs:
// the guest is forked when the slot is made, and waits.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "init/cell.hpp"
#include "init/command.hpp"
#include "init/landlock.hpp"
#include "init/seccomp.hpp"
#include "init/sys.hpp"
#include "wasm_workers/guest.hpp"

namespace prx::init {
namespace {

using protocol::Step;

struct ParkedGuest {
  int pid = -1;
  int socket = -1;
};
constinit ParkedGuest guest;

/// Whether the request is there already: then somebody waits.
bool is_waited_for(int stream) {
  pollfd fd{stream, POLLIN, 0};
  constexpr timespec kNoWait{};
  return poll_fds({&fd, 1}, &kNoWait) > 0;
}

ConfineResult park_guest(int stream, int ruleset) {
  int sockets[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return {Step::slot, errno};
  const bool ready_first = !is_waited_for(stream);
  // The C library's own, since the guest runs in it.
  const int pid = ::fork();
  if (pid < 0) return {Step::slot, errno};
  if (pid == 0) wasm::live_as_guest(sockets[1], ruleset, ready_first);
  close_fd(sockets[1]);
  guest = {pid, sockets[0]};
  return {};
}

/// False when the guest is gone.
bool send_all(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(guest.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool send_header(const wasm::GuestCallHeader& header, const CommandStdio& stdio) {
  alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))] = {};
  iovec part{const_cast<wasm::GuestCallHeader*>(&header), sizeof(header)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  auto* rights = reinterpret_cast<cmsghdr*>(control);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(3 * sizeof(int));
  std::memcpy(CMSG_DATA(rights), stdio.fds, 3 * sizeof(int));
  return send_message(guest.socket, message, 0) == static_cast<long>(sizeof(header));
}

}  // namespace

ConfineResult confine(const Cell& cell, Confined& confined) {
  int ruleset = -1;
  if (cell.plan != nullptr) {
    std::string_view subject;
    if (const long error = make_ruleset(*cell.plan, ruleset, subject); error < 0) {
      return {Step::landlock, static_cast<int>(-error), subject};
    }
    const long filter = install_filter(*cell.plan, confined.listener);
    if (filter < 0) return {Step::seccomp, static_cast<int>(-filter), {}};
  }
  const auto parked = park_guest(confined.stream, ruleset);
  close_fd(ruleset);
  return parked;
}

StartResult start_command(const protocol::SlotRequest& request, const CommandStdio& stdio, const Confined&) {
  const auto size = [](std::size_t bytes) { return static_cast<std::uint32_t>(bytes); };
  const wasm::GuestCallHeader header{request.argv.count,
                                     size(request.argv.encoded.size()),
                                     request.env.count,
                                     size(request.env.encoded.size()),
                                     size(request.working_dir.size()),
                                     stdio.terminal ? 1U : 0U};
  const bool sent = send_header(header, stdio) && send_all(request.argv.encoded) &&
                    send_all(request.env.encoded) && send_all(std::as_bytes(std::span(request.working_dir)));
  StartResult result;
  result.pid = guest.pid;
  result.report_fd = guest.socket;
  // A guest that is gone has an end of its own to tell of.
  (void)sent;
  return result;
}

}  // namespace prx::init
