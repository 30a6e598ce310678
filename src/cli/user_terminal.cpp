#include "cli/user_terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace prx::cli {
namespace {

constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

// What a crash handler can reach.
int crash_fd = -1;
termios crash_modes{};

void restore_and_crash(int signal) {
  ::tcsetattr(crash_fd, TCSANOW, &crash_modes);
  // SA_RESETHAND has put the default action back.
  ::raise(signal);
}

void watch_crashes(int fd, const termios& modes) {
  crash_fd = fd;
  crash_modes = modes;
  struct sigaction action{};
  action.sa_handler = restore_and_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : kCrashes) ::sigaction(signal, &action, nullptr);
}

}  // namespace

bool UserTerminal::is_terminal() const noexcept {
  return ::isatty(fd_) == 1;
}

bool UserTerminal::in_foreground() const noexcept {
  return ::tcgetpgrp(fd_) == ::getpgrp();
}

void UserTerminal::enter_raw() noexcept {
  if (saved_ || !is_terminal() || !in_foreground()) return;
  termios modes{};
  if (::tcgetattr(fd_, &modes) != 0) return;
  saved_ = modes;
  watch_crashes(fd_, modes);
  ::cfmakeraw(&modes);
  ::tcsetattr(fd_, TCSANOW, &modes);
}

void UserTerminal::leave_raw() noexcept {
  if (!saved_) return;
  // In the background the shell has its own modes set, and setting ours would stop us.
  if (in_foreground()) ::tcsetattr(fd_, TCSANOW, &*saved_);
  saved_.reset();
}

Terminal window_size() noexcept {
  Terminal size;
  for (const int fd : {STDOUT_FILENO, STDIN_FILENO}) {
    winsize window{};
    if (::ioctl(fd, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 || window.ws_col == 0) continue;
    size.rows = window.ws_row;
    size.columns = window.ws_col;
    break;
  }
  return size;
}

}  // namespace prx::cli
