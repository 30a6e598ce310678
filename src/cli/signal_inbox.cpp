#include "cli/signal_inbox.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "os/pipe.hpp"

namespace prx::cli {
namespace {

constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};
// For the command (USR1, USR2), for its terminal (WINCH), and for both of us (TSTP, CONT).
constexpr std::array kRelayed{SIGUSR1, SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT};

void add_unless_ignored(sigset_t& set, int signal) {
  struct sigaction current{};
  ::sigaction(signal, nullptr, &current);
  // A blocked signal is queued even when it is ignored: it has to be left out.
  if (current.sa_handler != SIG_IGN) sigaddset(&set, signal);
}

}  // namespace

Result<SignalInbox> SignalInbox::open() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kEnding) add_unless_ignored(set, signal);
  for (const int signal : kRelayed) add_unless_ignored(set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  SignalInbox inbox;
  inbox.fd_ = base::Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (inbox.fd_.is_open()) return inbox;
  return os::system_error("signalfd", errno);
}

std::optional<int> SignalInbox::next() const {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

bool is_ending(int signal) noexcept {
  return std::find(kEnding.begin(), kEnding.end(), signal) != kEnding.end();
}

}  // namespace prx::cli
