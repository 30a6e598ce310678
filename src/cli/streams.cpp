#include "cli/streams.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "cli/user_terminal.hpp"

namespace prx::cli {
namespace {

// PIPE_BUF: a pipe that poll() calls writable takes as much without blocking.
constexpr std::size_t kWriteSize = 4096;

bool wants_terminal(const RunOptions& options, OutputWanted wanted) {
  switch (options.terminal()) {
    case TerminalChoice::always:
      return true;
    case TerminalChoice::never:
      return false;
    case TerminalChoice::automatic:
      break;
  }
  const UserTerminal terminal(STDIN_FILENO);
  return wanted != OutputWanted::kept && !options.no_stdin && ::isatty(STDOUT_FILENO) == 1 &&
         terminal.is_terminal() && terminal.in_foreground();
}

bool is_shown(int fd, OutputWanted wanted) {
  if (wanted == OutputWanted::kept) return false;
  return wanted == OutputWanted::streamed_and_kept || ::isatty(fd) == 1;
}

OutputTarget target_of(int fd, bool shown, OutputWanted wanted) {
  if (shown || wanted == OutputWanted::kept) return Capture{};
  return OutputFd{fd};
}

Stdin input_of(const StreamPlan& plan, const RunOptions& options) {
  if (options.no_stdin) return NoStdin{};
  if (plan.relay_input) return StdinStream{};
  return StdinFd{STDIN_FILENO};
}

}  // namespace

StreamPlan plan_streams(const RunOptions& options, OutputWanted wanted) {
  StreamPlan plan;
  plan.terminal = wants_terminal(options, wanted);
  plan.is_watched = plan.terminal && !options.no_stdin && ::isatty(STDIN_FILENO) == 1;
  plan.relay_input = !options.no_stdin && (plan.terminal || ::isatty(STDIN_FILENO) == 1);
  plan.show_out = is_shown(STDOUT_FILENO, wanted) || (plan.terminal && wanted != OutputWanted::kept);
  plan.show_err = is_shown(STDERR_FILENO, wanted);
  return plan;
}

void connect_streams(ExecutionRequest& request, const StreamPlan& plan, const RunOptions& options,
                     OutputWanted wanted) {
  request.input = input_of(plan, options);
  if (plan.terminal) {
    request.terminal = window_size();
    if (plan.is_watched && !request.timeout) request.timeout = std::chrono::milliseconds(0);
    return;
  }
  request.out = target_of(STDOUT_FILENO, plan.show_out, wanted);
  request.err = target_of(STDERR_FILENO, plan.show_err, wanted);
}

bool StreamWriter::write(std::span<const char> bytes) noexcept {
  while (!bytes.empty() && error() == 0) {
    std::array<pollfd, 2> ready{{{fd_, POLLOUT, 0}, {given_up_.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0) continue;  // EINTR
    if (ready[0].revents == 0) return true;                    // given up, and nobody takes it now
    const ssize_t written = ::write(fd_, bytes.data(), std::min(bytes.size(), kWriteSize));
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno != EAGAIN && errno != EINTR) {
      error_ = errno;
    }
  }
  return error() == 0;
}

}  // namespace prx::cli
