#include "support/leak_check.hpp"

#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "support/proc_table.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

std::set<std::string> open_fds() {
  std::set<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", error)) {
    const auto target = fs::read_symlink(entry.path(), error);
    if (error) continue;
    // The descriptor this very walk has open.
    if (target == fs::path("/proc") / std::to_string(getpid()) / "fd") continue;
    found.insert("descriptor " + entry.path().filename().string() + " → " + target.string());
  }
  return found;
}

std::set<std::string> describe(const std::vector<ProcessInfo>& processes, std::string_view title) {
  std::set<std::string> lines;
  for (const auto& process : processes) lines.insert(std::string(title) += ' ' + process.describe());
  return lines;
}

std::set<std::string> prx_mounts() {
  std::set<std::string> found;
  std::istringstream lines(read_file("/proc/self/mountinfo"));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("prx") != std::string::npos) found.insert("mount " + line);
  }
  return found;
}

/// The first number in a name, 0 where there is none.
pid_t first_number(const std::string& name) {
  std::size_t at = 0;
  while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) == 0) ++at;
  return at == name.size() ? 0 : static_cast<pid_t>(std::strtol(name.c_str() + at, nullptr, 10));
}

bool descends_from_this_process(pid_t pid, const std::vector<ProcessInfo>& processes) {
  for (std::size_t depth = 0; depth <= processes.size() && pid > 0; ++depth) {
    if (pid == getpid()) return true;
    pid_t parent = 0;
    for (const auto& process : processes) {
      if (process.pid == pid) parent = process.parent;
    }
    pid = parent;
  }
  return false;
}

std::set<std::string> prx_cgroups() {
  std::set<std::string> found;
  std::error_code error;
  const auto processes = all_processes();
  fs::recursive_directory_iterator walk("/sys/fs/cgroup", fs::directory_options::skip_permission_denied,
                                        error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const auto name = walk->path().filename().string();
    if (!name.starts_with("prx-") || !walk->is_directory(error)) continue;
    const pid_t owner = first_number(name);
    const bool of_another = owner > 0 && is_running(owner) && !descends_from_this_process(owner, processes);
    if (!of_another) found.insert("control group " + walk->path().string());
  }
  return found;
}

void add_new(const std::set<std::string>& before, const std::set<std::string>& after,
             std::vector<std::string>& leaks) {
  for (const auto& line : after) {
    if (!before.contains(line)) leaks.push_back(line);
  }
}

}  // namespace

LeakSnapshot take_snapshot(std::string_view marker) {
  return {
      .fds = open_fds(),
      .children = describe(children_of_this_process(), "child"),
      .processes = describe(processes_with(marker), "process"),
      .mounts = prx_mounts(),
      .cgroups = prx_cgroups(),
  };
}

std::vector<std::string> leaks_between(const LeakSnapshot& before, const LeakSnapshot& after) {
  std::vector<std::string> leaks;
  add_new(before.fds, after.fds, leaks);
  add_new(before.children, after.children, leaks);
  add_new(before.processes, after.processes, leaks);
  add_new(before.mounts, after.mounts, leaks);
  add_new(before.cgroups, after.cgroups, leaks);
  return leaks;
}

std::string make_marker() {
  static int count = 0;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return "prx-mark-" + std::to_string(getpid()) + '-' + std::to_string(now.tv_sec) + '-' +
         std::to_string(now.tv_nsec) + '-' + std::to_string(++count);
}

LeakChecked::LeakChecked() : marker_(make_marker()) {}

void LeakChecked::SetUp() {
  setenv("PRX_TEST_MARK", marker_.c_str(), 1);
  take_baseline();
}

void LeakChecked::TearDown() {
  const auto leaks = leaks_that_stay();
  unsetenv("PRX_TEST_MARK");
  if (leaks.empty()) return;
  std::string text = "left behind:";
  for (const auto& leak : leaks) text += "\n  " + leak;
  ADD_FAILURE() << text;
}

/// One clean look is no proof: a process that keeps replacing itself can slip through it. On a busy machine a
/// look takes long, so the grace counts only for what is there.
std::vector<std::string> LeakChecked::leaks_that_stay() const {
  constexpr int kCleanLooks = 3;
  const auto end = std::chrono::steady_clock::now() + kGrace;
  for (int clean_looks = 0; clean_looks < kCleanLooks;) {
    auto found = leaks_between(before_, take_snapshot(marker_));
    clean_looks = found.empty() ? clean_looks + 1 : 0;
    if (!found.empty() && std::chrono::steady_clock::now() >= end) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

void LeakChecked::take_baseline() {
  before_ = take_snapshot(marker_);
}

}  // namespace prx::test
