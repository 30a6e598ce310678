#include "init/stdio.hpp"

#include "init/ancillary.hpp"
#include "init/sys.hpp"

namespace prx::init {
namespace {

using protocol::StdioKind;
using protocol::Step;

StdioResult failure(Step step, long error) {
  return {step, static_cast<int>(-error)};
}

long send_master(const Stream& stream, int master) {
  std::byte header[protocol::kHeaderSize];
  protocol::encode_header({protocol::FrameType::terminal, protocol::ChannelId::control, 0, 0}, header);
  return send_with_fd(stream.out, header, sizeof(header), master);
}

StdioResult open_pty(const ReceivedRequest& received, const Stream& stream, Relay& relay, CommandStdio& stdio,
                     Terminal& terminal) {
  const auto& request = received.request;
  if (const long error = open_terminal(request.rows, request.columns, terminal); error < 0) {
    return failure(Step::terminal, error);
  }
  for (int& fd : stdio.fds) fd = terminal.slave;
  stdio.terminal = true;
  if (request.pass_terminal) {
    const long sent = send_master(stream, terminal.master);
    return sent < 0 ? failure(Step::terminal, sent) : StdioResult{};
  }
  if (const long error = set_nonblocking(terminal.master); error < 0) return failure(Step::terminal, error);
  // The relay closes its descriptor at the end; resizing needs one until then.
  const long relayed = raw_syscall(__NR_fcntl, terminal.master, F_DUPFD_CLOEXEC, 3);
  if (relayed < 0) return failure(Step::terminal, relayed);
  relay.open(static_cast<int>(relayed), static_cast<int>(relayed), -1);
  return {};
}

/// Makes a pipe; `command_end` is 0 where the command reads and 1 where it writes. Returns our end or -errno.
long open_pipe(int command_end, int& command_fd) {
  int ends[2] = {-1, -1};
  if (const long error = raw_syscall(__NR_pipe2, as_arg(ends), O_CLOEXEC); error < 0) return error;
  command_fd = ends[command_end];
  const int ours = ends[1 - command_end];
  const long error = set_nonblocking(ours);
  return error < 0 ? error : ours;
}

}  // namespace

StdioResult open_stdio(const ReceivedRequest& received, const Stream& stream, Relay& relay,
                       CommandStdio& stdio, Terminal& terminal) {
  if (received.request.stdio[0] == StdioKind::terminal)
    return open_pty(received, stream, relay, stdio, terminal);
  int relayed[3] = {-1, -1, -1};
  std::size_t next_passed = 0;
  for (int i = 0; i < 3; ++i) {
    long fd = -1;
    switch (received.request.stdio[i]) {
      case StdioKind::null:
        fd = received.null_fd;
        stdio.fds[i] = received.null_fd;
        break;
      case StdioKind::passed:
        fd = received.fds[next_passed++];
        if (fd < 0) fd = -EMFILE;  // the host sends them all: the kernel had no room here
        stdio.fds[i] = static_cast<int>(fd);
        break;
      case StdioKind::framed:
        fd = open_pipe(i == 0 ? 0 : 1, stdio.fds[i]);
        relayed[i] = static_cast<int>(fd);
        break;
      case StdioKind::terminal:
        fd = -EINVAL;
        break;
    }
    if (fd < 0) return failure(Step::stdio, fd);
  }
  relay.open(relayed[0], relayed[1], relayed[2]);
  return {};
}

void close_stdio(CommandStdio& stdio) {
  if (stdio.terminal) stdio.fds[1] = stdio.fds[2] = -1;  // one descriptor, three times
  for (int& fd : stdio.fds) {
    close_fd(fd);
    fd = -1;
  }
}

}  // namespace prx::init
