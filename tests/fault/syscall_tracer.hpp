#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace prx::test {

/// Which system call of a traced run is to fail: the `number`th (from 1) that the program and everything it
/// starts make between its two marks, with `error`. The command itself (a program named `command`) is left
/// alone.
struct SyscallFault {
  long number = 0;  ///< 0: none; the run only counts
  int error = 0;
  std::string command = "noop";
};

struct TracedRun {
  long calls = 0;       ///< that could have failed
  std::string failed;   ///< the call that did, for a person; empty where there was none
  bool hung = false;    ///< the deadline passed; everything was killed
  std::string hung_in;  ///< who was still there
  int exit_code = -1;   ///< of the program; 128+signal
  std::string out;
};

/// Whether this machine's processor is known to the tracer and tracing is allowed.
[[nodiscard]] bool can_trace();

/// Runs `argv` with every process it starts traced. Needs adopt_orphans().
[[nodiscard]] TracedRun run_traced(const std::vector<std::string>& argv, const SyscallFault& fault,
                                   std::chrono::seconds deadline);

}  // namespace prx::test
