#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::os {

/// A program of this machine that serves prx over its standard streams (ssh, a credential helper). It has the
/// environment of this process, default signal dispositions, no signal blocked, a process group of its own,
/// and no other descriptor.
class ToolProcess {
 public:
  /// argv[0] is looked up in PATH. `input` and `output` become its standard streams; what it says on stderr
  /// is kept. Errors: not_found, not_executable, exhausted, setup_failed; step "tool", subject the program.
  [[nodiscard]] static Result<ToolProcess> start(const std::vector<std::string>& argv, const base::Fd& input,
                                                 const base::Fd& output);
  /// Kills it, if it has not ended.
  ~ToolProcess();
  ToolProcess(ToolProcess&&) noexcept;
  ToolProcess& operator=(ToolProcess&&) noexcept;
  ToolProcess(const ToolProcess&) = delete;
  ToolProcess& operator=(const ToolProcess&) = delete;

  /// Whether it has ended; reaps it then.
  [[nodiscard]] bool has_ended() noexcept;
  /// Readable once it has ended.
  [[nodiscard]] int pidfd() const noexcept { return pidfd_.get(); }
  /// Of one that has ended; 128+signal where a signal ended it, 0 where somebody else reaped it.
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }
  /// The last 2 KiB of what it said on stderr, without line breaks around it.
  [[nodiscard]] std::string complaint() const;

 private:
  ToolProcess(pid_t pid, base::Fd pidfd, base::Fd stderr_file);

  void end() noexcept;

  pid_t pid_ = -1;
  base::Fd pidfd_;
  base::Fd stderr_file_;
  int exit_code_ = 0;
  bool reaped_ = false;
};

}  // namespace prx::os
