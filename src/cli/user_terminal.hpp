#pragma once

#include <optional>

#include <termios.h>

#include <prx/request.hpp>

namespace prx::cli {

/// The terminal that prx was started from, as far as a command with a terminal of its own needs it:
/// its size, and raw mode while what is typed goes to the command. Raw mode ends with the object, with
/// leave_raw(), and when prx crashes.
class UserTerminal {
 public:
  explicit UserTerminal(int fd) noexcept : fd_(fd) {}
  ~UserTerminal() { leave_raw(); }
  UserTerminal(const UserTerminal&) = delete;
  UserTerminal& operator=(const UserTerminal&) = delete;

  [[nodiscard]] bool is_terminal() const noexcept;
  /// Whether prx may read it and change its modes: not from the background, where that would stop prx.
  [[nodiscard]] bool in_foreground() const noexcept;

  /// Nothing happens where it is no terminal or prx is in the background.
  void enter_raw() noexcept;
  void leave_raw() noexcept;

 private:
  int fd_;
  std::optional<termios> saved_;
};

/// The size of the terminal behind stdout or else stdin; 24x80 where neither is one.
[[nodiscard]] Terminal window_size() noexcept;

}  // namespace prx::cli
