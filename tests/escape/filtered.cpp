#include "escape/filtered.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "protocol/seccomp_denials.hpp"

namespace prx::test {
namespace {

constexpr int kDeadlineMs = 240'000;
constexpr int kSetUpFailed = 250;

void send_fd(int socket, int fd) {
  char byte = 1;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof(fd));
  if (sendmsg(socket, &message, 0) != 1) _exit(kSetUpFailed);
}

/// -1: the child has ended without.
int receive_fd(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  int fd = -1;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message)) std::memcpy(&fd, CMSG_DATA(header), sizeof(fd));
  return fd;
}

/// In the child: the listener's descriptor is not left to the body.
void install(const std::vector<sock_filter>& filter, int socket) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(kSetUpFailed);
  const sock_fprog program{static_cast<unsigned short>(filter.size()),
                           const_cast<sock_filter*>(filter.data())};
  const long listener =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (listener < 0) _exit(kSetUpFailed);
  send_fd(socket, static_cast<int>(listener));
  close(static_cast<int>(listener));
}

[[noreturn]] void be_child(const std::vector<sock_filter>& filter, const std::function<int()>& body, int out,
                           int socket) {
  setpgid(0, 0);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  close(out);
  if (!filter.empty()) install(filter, socket);
  close(socket);
  const int code = body();
  std::fflush(nullptr);
  _exit(code);
}

/// Until nobody holds the pipe any more, or the deadline.
void serve(FilteredRun& run, int out, int listener_fd, const Listener& listener) {
  std::array<pollfd, 2> fds = {{{out, POLLIN, 0}, {listener_fd, POLLIN, 0}}};
  while (poll(fds.data(), fds.size(), kDeadlineMs) > 0) {
    if ((fds[1].revents & POLLIN) != 0) listener(listener_fd, run.notified);
    if ((fds[1].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) fds[1].fd = -1;
    if (fds[0].revents == 0) continue;
    std::array<char, 65536> buffer;
    const ssize_t got = read(out, buffer.data(), buffer.size());
    if (got <= 0) return;
    run.out.append(buffer.data(), static_cast<std::size_t>(got));
  }
  run.out += "\n[no output for a long time]";
}

/// A program may close its output before it exits; one that does and hangs would hang this test as well.
void end_child(pid_t child) {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd ended{pidfd, POLLIN, 0};
  if (poll(&ended, 1, kDeadlineMs) != 1) kill(-child, SIGKILL);
  close(pidfd);
}

}  // namespace

void answer_and_record(int listener, std::vector<NotifiedCall>& notified) {
  seccomp_notif call{};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
  const protocol::DenialAnswer answer = protocol::answer_denial(call.data);
  const int error = answer.rule == protocol::SeccompRule::unknown ? ENOSYS : answer.error;
  notified.push_back({call.data, error});
  seccomp_notif_resp response{};
  response.id = call.id;
  response.error = -error;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

FilteredRun run_filtered(const std::vector<sock_filter>& filter, const std::function<int()>& body,
                         const Listener& listener) {
  std::array<int, 2> out{};
  std::array<int, 2> sockets{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    throw std::runtime_error("no pipe");
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no fork");
  if (child == 0) {
    close(sockets[0]);
    be_child(filter, body, out[1], sockets[1]);
  }
  close(out[1]);
  close(sockets[1]);
  const int listener_fd = filter.empty() ? -1 : receive_fd(sockets[0]);
  close(sockets[0]);
  FilteredRun run;
  serve(run, out[0], listener_fd, listener);
  close(out[0]);
  if (listener_fd >= 0) close(listener_fd);
  end_child(child);
  int status = 0;
  waitpid(child, &status, 0);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (run.exit_code == kSetUpFailed) throw std::runtime_error("the filter could not be installed");
  return run;
}

FilteredRun run_filtered_line(const std::vector<sock_filter>& filter, const std::string& line,
                              const std::string& folder) {
  return run_filtered(filter, [&] {
    if (chdir(folder.c_str()) != 0) return 126;
    execl("/bin/bash", "bash", "--norc", "-c", line.c_str(), nullptr);
    return 127;
  });
}

}  // namespace prx::test
