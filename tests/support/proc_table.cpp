#include "support/proc_table.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <optional>

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
  process.parent = std::stoi(stat.substr(close + 4));
  return process;
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
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const auto name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    if (auto process = read_process(pid)) found.push_back(*std::move(process));
  }
  return found;
}

std::vector<ProcessInfo> children_of_this_process() {
  auto found = all_processes();
  std::erase_if(found, [](const ProcessInfo& process) { return process.parent != getpid(); });
  return found;
}

std::vector<ProcessInfo> processes_with(std::string_view marker) {
  auto found = all_processes();
  std::erase_if(found, [marker](const ProcessInfo& process) {
    return process.pid == getpid() || !carries(process.pid, marker);
  });
  return found;
}

bool is_running(pid_t pid) {
  const auto process = read_process(pid);
  return process && process->state != 'Z' && process->state != 'X';
}

}  // namespace prx::test
