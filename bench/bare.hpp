#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.hpp"

namespace prx::bench {

/// What the least code that does the job would do: posix_spawn with /dev/null as stdin and a pipe for each of
/// stdout and stderr. Ends the benchmark when a system call fails: a number of half the work is worthless.
struct BareChild {
  pid_t pid = -1;
  base::Fd out;
  base::Fd err;
};

BareChild spawn_bare(const std::vector<std::string>& argv);

/// Reads both pipes through poll until they end, keeps nothing, then waits for the process. Returns the
/// bytes.
std::uint64_t finish_bare(BareChild child);

/// Start to end.
std::uint64_t run_bare(const std::vector<std::string>& argv);

/// The same without any pipe, for a program whose output nobody reads: its whole process and nothing else.
void run_whole_process(const std::vector<std::string>& argv);

/// Whether it can be measured here at all.
bool succeeds(const std::vector<std::string>& argv);

}  // namespace prx::bench
