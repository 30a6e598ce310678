#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <string>
#include <vector>

namespace prx::test {

/// A program that leads a session of its own on a terminal of 30x100, as one started by a terminal
/// emulator does: the test is the person in front of it.
class PtyProgram {
 public:
  PtyProgram(const std::vector<std::string>& argv, const std::vector<std::string>& env);
  ~PtyProgram();
  PtyProgram(const PtyProgram&) = delete;
  PtyProgram& operator=(const PtyProgram&) = delete;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void type(const std::string& text) const;
  void resize(unsigned short rows, unsigned short columns) const;
  /// Reads until `text` has appeared behind what was waited for before; false after ten seconds.
  [[nodiscard]] bool shows(const std::string& text);
  /// Everything that has appeared.
  [[nodiscard]] const std::string& screen() const noexcept { return screen_; }
  [[nodiscard]] termios modes() const;
  /// Whether the terminal echoes and edits lines, as a shell leaves it for programs.
  [[nodiscard]] bool is_cooked() const;
  [[nodiscard]] pid_t foreground_group() const;
  /// The exit status, 128+signal; -1 after ten seconds.
  [[nodiscard]] int wait();

 private:
  bool read_some(std::chrono::steady_clock::time_point deadline);

  int master_ = -1;
  pid_t pid_ = -1;
  bool reaped_ = false;
  std::string screen_;
  std::size_t seen_ = 0;
};

}  // namespace prx::test
