#include "support/host_processes.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>

#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

bool has_this_host(pid_t pid) {
  const auto info = read_file("/proc/" + std::to_string(pid) + "/fdinfo/4");
  return info.find("\nPid:\t" + std::to_string(getpid()) + '\n') != std::string::npos;
}

}  // namespace

std::vector<ProcessInfo> inits_of_this_process() {
  std::vector<ProcessInfo> found;
  for (auto& process : all_processes()) {
    if (process.name == "prx-init" && process.state != 'Z' && has_this_host(process.pid))
      found.push_back(process);
  }
  return found;
}

void adopt_orphans() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) throw std::runtime_error("PR_SET_CHILD_SUBREAPER");
}

bool no_children_left() {
  for (;;) {
    const pid_t ended = waitpid(-1, nullptr, WNOHANG);
    if (ended == 0) return false;
    if (ended < 0) return errno == ECHILD;
  }
}

}  // namespace prx::test
