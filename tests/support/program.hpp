#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace prx::test {

struct ProgramOptions {
  /// Bytes for its stdin, through a pipe. Unset: /dev/null.
  std::optional<std::string> stdin_bytes;
  /// "NAME=value" of the whole environment. Unset: the caller's.
  std::optional<std::vector<std::string>> env;
  std::string working_dir;
  /// Then its process group gets SIGKILL and the result says timed_out.
  std::chrono::milliseconds timeout{30'000};
};

struct ProgramResult {
  int exit_code = -1;  ///< of the program; 128+signal when a signal ended it
  int signal = 0;      ///< that signal
  bool timed_out = false;
  std::string out;
  std::string err;
  std::chrono::milliseconds duration{};
};

/// A program started with posix_spawn: its own process group, no signal blocked, SIGPIPE at its default,
/// stdout and stderr in pipes. Throws std::runtime_error where it cannot be started.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& argv, ProgramOptions options = {});
  /// Kills the process group and reaps the program, if wait() has not.
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  /// Valid until wait() has returned.
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void send_signal(int signal_number) const;
  /// Reads until `text` has been printed on stdout; false when the timeout or the end comes first.
  [[nodiscard]] bool wait_for_output(const std::string& text);
  /// What stdout has said until now.
  [[nodiscard]] const std::string& out() const noexcept { return result_.out; }
  /// Until the program has ended and nobody holds its stdout or stderr any more, or the timeout.
  ProgramResult wait();

 private:
  /// Serves the pipes once; false at the timeout.
  bool pump();
  void write_stdin();
  void read_from(int& fd, std::string& into);
  void reap(bool block);

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  ProgramOptions options_;
  ProgramResult result_;
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::size_t stdin_sent_ = 0;
  bool reaped_ = false;
};

/// Starts a program and waits for it. argv[0] is looked up in PATH unless it has a slash.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& argv, ProgramOptions options = {});

}  // namespace prx::test
