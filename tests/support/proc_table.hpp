#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace prx::test {

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  char state = '?';  ///< 'Z' for a zombie, as in /proc/PID/stat; 'X' gone meanwhile
  std::string name;

  /// "1234 sleep (Z)"
  [[nodiscard]] std::string describe() const;
};

/// Every process that this one can see, zombies too.
[[nodiscard]] std::vector<ProcessInfo> all_processes();
/// Children of this process, zombies too.
[[nodiscard]] std::vector<ProcessInfo> children_of_this_process();
/// Processes other than this one that have `marker` in their environment or command line.
[[nodiscard]] std::vector<ProcessInfo> processes_with(std::string_view marker);
/// Whether the process exists and is not a zombie.
[[nodiscard]] bool is_running(pid_t pid);

}  // namespace prx::test
