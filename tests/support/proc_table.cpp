#include "support/proc_table.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

std::optional<ProcessInfo> read_process(pid_t pid) {
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  // "PID (NAME) STATE PARENT …", where NAME may hold blanks and parentheses.
  const auto open = stat.find('(');
  const auto close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 >= stat.size()) return {};
  ProcessInfo process;
  process.pid = pid;
  process.name = stat.substr(open + 1, close - open - 1);
  process.state = stat[close + 2];
  std::istringstream(stat.substr(close + 4)) >> process.parent >> process.group;
  return process;
}

/// Visits each pid as soon as the kernel names it. The kernel goes through /proc by rising pid and looks
/// again at each call, so with room for one or two names a call the walk catches up with processes that
/// keep replacing themselves; readdir() would hold a list of those already gone.
template <class Visit>
void for_each_pid(Visit&& visit) {
  constexpr std::size_t kRoom = 64;
  std::array<char, kRoom> entries{};
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (long size = 0; (size = syscall(SYS_getdents64, proc, entries.data(), entries.size())) > 0;) {
    for (const char* entry = entries.data(); entry < entries.data() + size;) {
      const char* name = entry + offsetof(dirent64, d_name);
      if (std::isdigit(static_cast<unsigned char>(*name)) != 0) visit(std::atoi(name));
      decltype(dirent64::d_reclen) length = 0;
      std::memcpy(&length, entry + offsetof(dirent64, d_reclen), sizeof length);
      entry += length;
    }
  }
  close(proc);
}

bool carries(pid_t pid, std::string_view marker) {
  const auto folder = "/proc/" + std::to_string(pid);
  return read_file(folder + "/environ").find(marker) != std::string::npos ||
         read_file(folder + "/cmdline").find(marker) != std::string::npos;
}

}  // namespace

std::string ProcessInfo::describe() const {
  return std::to_string(pid) + ' ' + name + " (" + state + ')';
}

std::vector<ProcessInfo> all_processes() {
  std::vector<ProcessInfo> found;
  for_each_pid([&](pid_t pid) {
    if (auto process = read_process(pid)) found.push_back(*std::move(process));
  });
  return found;
}

std::vector<ProcessInfo> children_of_this_process() {
  auto found = all_processes();
  std::erase_if(found, [](const ProcessInfo& process) { return process.parent != getpid(); });
  return found;
}

std::vector<ProcessInfo> processes_with(std::string_view marker) {
  // Each is read as soon as it is listed: the members of a respawning chain do not wait for the end of
  // the walk.
  std::vector<ProcessInfo> found;
  for_each_pid([&](pid_t pid) {
    if (pid == getpid() || !carries(pid, marker)) return;
    found.push_back(read_process(pid).value_or(ProcessInfo{.pid = pid, .state = 'X'}));
  });
  return found;
}

bool is_running(pid_t pid) {
  const auto process = read_process(pid);
  return process && process->state != 'Z' && process->state != 'X';
}

}  // namespace prx::test
