#include "cli/session.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/try.hpp"
#include "cli/text_out.hpp"
#include "os/pipe.hpp"

namespace prx::cli {
namespace {

constexpr std::size_t kReadSize = 65536;
constexpr int kForever = -1;
// The queue to the command is full: nothing tells when there is room, so it is tried again.
constexpr int kRetryMilliseconds = 10;
// In the background: `fg` on a job that runs sends no signal that would tell.
constexpr int kForegroundCheckMilliseconds = 250;

void raise_flag(const base::Fd& event) noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event.get(), &one, sizeof one);
}

void lower_flag(const base::Fd& event) noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t taken = ::read(event.get(), &count, sizeof count);
}

}  // namespace

Session::Session(const StreamPlan& plan, const SignalInbox& signals)
    : plan_(plan),
      signals_(signals),
      out_(STDOUT_FILENO, given_up_),
      err_(STDERR_FILENO, given_up_),
      terminal_(STDIN_FILENO) {}

Result<Session::Outcome> Session::run(RuntimeAdapter& runtime, ExecutionRequest request,
                                      const StreamPlan& plan, const SignalInbox& signals) {
  Session session(plan, signals);
  PRX_CHECK(session.open_wakeups());
  PRX_TRY(Execution execution, runtime.start(std::move(request), session.events()));
  if (plan.terminal) session.terminal_.enter_raw();
  session.watch(execution);
  PRX_TRY(auto output, execution.wait());
  return Outcome{std::move(output), session.unwritten()};
}

Result<void> Session::open_wakeups() {
  woken_ = base::Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  given_up_ = base::Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (woken_.is_open() && given_up_.is_open()) return {};
  return os::system_error("eventfd", errno);
}

ExecutionEvents Session::events() {
  ExecutionEvents events;
  events.output = [this](const OutputChunk& chunk) {
    const bool is_out = chunk.channel == Channel::out;
    if (!(is_out ? plan_.show_out : plan_.show_err)) return;
    if (!(is_out ? out_ : err_).write(chunk.data)) raise_flag(woken_);
  };
  events.ended = [this](const Result<ExecutionOutput>&) {
    ended_ = true;
    raise_flag(woken_);  // the last touch: this object may be gone right after
  };
  return events;
}

void Session::watch(Execution& execution) {
  while (!ended_) {
    std::array<pollfd, 3> ready{{{signals_.fd(), POLLIN, 0},
                                 {woken_.get(), POLLIN, 0},
                                 {input_wanted() ? STDIN_FILENO : -1, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), wait_time()) < 0) continue;  // EINTR
    if (ready[1].revents != 0) lower_flag(woken_);
    while (const auto signal = signals_.next()) on_signal(execution, *signal);
    end_if_unread(execution);
    if (plan_.terminal) terminal_.enter_raw();  // nothing happens where it is raw, or not ours now
    if (ready[2].revents != 0) read_input(execution);
    if (!input_.empty()) send_input(execution);
  }
}

bool Session::input_wanted() const {
  // Reading a terminal from the background would stop prx (SIGTTIN).
  return plan_.relay_input && input_.empty() && (!terminal_.is_terminal() || terminal_.in_foreground());
}

int Session::wait_time() const {
  if (!input_.empty()) return kRetryMilliseconds;
  return plan_.relay_input && !input_wanted() ? kForegroundCheckMilliseconds : kForever;
}

void Session::on_signal(Execution& execution, int signal) {
  switch (signal) {
    case SIGWINCH:
      if (plan_.terminal) {
        const Terminal size = window_size();
        // Fails only when the command has just ended.
        (void)execution.resize(size.rows, size.columns);
      }
      return;
    case SIGTSTP:
      return stop(execution);
    case SIGCONT:
      return resume(execution);
    default:
      break;
  }
  if (is_ending(signal)) return end(execution, signal);
  (void)execution.signal(signal);
}

/// On its way when signal() returns, so that it arrives although this process stops, too.
void Session::stop(Execution& execution) {
  (void)execution.signal(SIGSTOP);
  terminal_.leave_raw();
  // Not SIGTSTP, which is blocked. SIGCONT comes through the inbox.
  ::kill(::getpid(), SIGSTOP);
}

void Session::resume(Execution& execution) {
  (void)execution.signal(SIGCONT);
  if (!plan_.terminal) return;
  // The window may have changed meanwhile.
  on_signal(execution, SIGWINCH);
}

void Session::end(Execution& execution, int signal) {
  raise_flag(given_up_);
  execution.cancel(signal);
}

/// Nobody reads the output any more: the command ends as if it had written to the closed pipe itself.
void Session::end_if_unread(Execution& execution) {
  if (unread_ || (out_.error() == 0 && err_.error() == 0)) return;
  unread_ = true;
  end(execution, SIGPIPE);
}

std::optional<Error> Session::unwritten() const {
  for (const auto& [writer, name] : {std::pair(&out_, "stdout"), std::pair(&err_, "stderr")}) {
    if (writer->error() != 0 && writer->error() != EPIPE) return write_error(name, writer->error());
  }
  return std::nullopt;
}

void Session::read_input(Execution& execution) {
  input_.resize(kReadSize);
  const ssize_t size = ::read(STDIN_FILENO, input_.data(), input_.size());
  const int error = errno;
  input_.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (size > 0 || (size < 0 && (error == EAGAIN || error == EINTR))) return;
  // End of file, or a terminal that hung up.
  plan_.relay_input = false;
  (void)execution.close_stdin();
}

void Session::send_input(Execution& execution) {
  const auto sent = execution.write_stdin(input_);
  if (!sent && sent.error().kind == ErrorKind::exhausted) return;
  if (!sent) plan_.relay_input = false;  // the command does not read any more
  input_.clear();
}

}  // namespace prx::cli
