#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/errno_text.hpp"
#include "base/fd.hpp"
#include "cli/probe.hpp"

namespace prx::cli {
namespace {

constexpr mode_t kAnyoneMayWrite = S_IWOTH;

std::string file_text(const char* path) {
  std::string text;
  const base::Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> buffer{};
  for (ssize_t size = 1; size > 0;) {
    size = ::read(file.get(), buffer.data(), buffer.size());
    if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct CgroupMount {
  std::string point;
  bool v2 = false;
  std::vector<std::string> options;  ///< of v1: its controllers among others
};

/// The cgroup trees of /proc/self/mountinfo.
std::vector<CgroupMount> cgroup_mounts() {
  std::vector<CgroupMount> mounts;
  for (const auto& line : split(file_text("/proc/self/mountinfo"), '\n')) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto front = split(std::string_view(line).substr(0, dash), ' ');
    const auto back = split(std::string_view(line).substr(dash + 3), ' ');
    if (front.size() < 5 || back.size() < 3 || !back[0].starts_with("cgroup")) continue;
    mounts.push_back({.point = front[4], .v2 = back[0] == "cgroup2", .options = split(back[2], ',')});
  }
  return mounts;
}

bool has_controller(const CgroupMount& mount, const std::string& controller) {
  return std::find(mount.options.begin(), mount.options.end(), controller) != mount.options.end();
}

/// The path of this process in the tree of `controller` (empty: v2), from /proc/self/cgroup.
std::string own_cgroup(const std::string& controller) {
  for (const auto& line : split(file_text("/proc/self/cgroup"), '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) continue;
    const auto controllers = split(parts[1], ',');
    if (std::find(controllers.begin(), controllers.end(), controller) == controllers.end()) continue;
    return line.substr(parts[0].size() + parts[1].size() + 2);
  }
  return "/";
}

/// Whether a group can be made below the one this process is in.
bool can_make_group(const CgroupMount& mount, const std::string& controller) {
  const std::string group =
      fmt::format("{}{}/prx-doctor-{}", mount.point, own_cgroup(controller), ::getpid());
  if (::mkdir(group.c_str(), 0700) != 0) return false;
  ::rmdir(group.c_str());
  return true;
}

std::string writable_text(bool writable) {
  return writable ? " (writable)" : " (not writable)";
}

struct CgroupFindings {
  bool v1 = false;
  bool v2 = false;
  bool can_kill = false;   // v2 writable: whole trees end at once
  bool can_limit = false;  // memory, in either version
  std::string text;
};

void look_at(const CgroupMount& mount, CgroupFindings& findings) {
  if (mount.v2) {
    const bool writable = can_make_group(mount, "");
    const std::string controllers = file_text((mount.point + "/cgroup.controllers").c_str());
    findings.v2 = true;
    findings.can_kill = findings.can_kill || writable;
    findings.can_limit = findings.can_limit || (writable && controllers.find("memory") != std::string::npos);
    findings.text += fmt::format("; v2 at {}{}", mount.point, writable_text(writable));
    return;
  }
  for (const std::string controller : {"memory", "pids", "cpu"}) {
    if (!has_controller(mount, controller)) continue;
    const bool writable = can_make_group(mount, controller);
    findings.v1 = true;
    findings.can_limit = findings.can_limit || (writable && controller == "memory");
    findings.text += fmt::format("; v1 {}{}", controller, writable_text(writable));
  }
}

bool is_executable(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string path_entry_trouble(const std::string& entry) {
  struct stat info{};
  if (!entry.starts_with('/')) return "'" + entry + "' depends on the working directory";
  if (::stat(entry.c_str(), &info) != 0) return {};  // a missing folder harms nobody
  const bool sticky = (info.st_mode & S_ISVTX) != 0;
  if ((info.st_mode & kAnyoneMayWrite) != 0 && !sticky) return entry + " can be written by everybody";
  return {};
}

}  // namespace

Check probe_cgroups() {
  CgroupFindings findings;
  for (const auto& mount : cgroup_mounts()) look_at(mount, findings);
  const std::string kind = findings.v1 && findings.v2 ? "v1 and v2"
                           : findings.v2              ? "v2"
                           : findings.v1              ? "v1"
                                                      : "none";
  const std::string found = kind + findings.text;
  if (findings.can_kill && findings.can_limit) return Check::good(found);
  if (findings.can_kill)
    return Check::limited(found, "memory limits are watched by prx instead of enforced by the kernel");
  return Check::limited(
      found,
      "trees are ended process by process and limits are watched; run as root, in a delegated "
      "cgroup (systemd-run --user --scope -p Delegate=yes), or mount cgroups writable");
}

Check probe_ptys() {
  const std::string remedy = "mount devpts on /dev/pts with ptmxmode=666";
  const base::Fd master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!master.is_open()) return Check::missing("posix_openpt: " + base::errno_text(errno), remedy);
  std::array<char, 64> name{};
  if (::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0 ||
      ::ptsname_r(master.get(), name.data(), name.size()) != 0) {
    return Check::missing("unlockpt: " + base::errno_text(errno), remedy);
  }
  const base::Fd slave(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (slave.is_open()) return Check::good("made and opened");
  return Check::missing(std::string(name.data()) + ": " + base::errno_text(errno), remedy);
}

Check probe_shell(const Config& config) {
  const std::string& shell = config.runtime.native.shell;
  if (!shell.empty()) {
    if (is_executable(shell)) return Check::good(shell);
    return Check::missing(
        shell + " is not an executable file",
        "correct runtime.native.shell (" + config.origin_of("runtime.native.shell").describe() + ")");
  }
  if (is_executable("/bin/bash")) return Check::good("/bin/bash");
  if (is_executable("/bin/sh"))
    return Check::limited("/bin/sh, there is no /bin/bash", "install bash, or set runtime.native.shell");
  return Check::missing("neither /bin/bash nor /bin/sh", "install a shell, or set runtime.native.shell");
}

Check probe_path() {
  const char* path = std::getenv("PATH");
  if (path == nullptr || *path == '\0') {
    return Check::limited("not set", "set PATH, or give commands one in [runtime.native.env]");
  }
  const auto entries = split(path, ':');
  for (const auto& entry : entries) {
    auto trouble = path_entry_trouble(entry);
    if (!trouble.empty())
      return Check::limited(std::move(trouble), "take it out of PATH, or set PATH in [runtime.native.env]");
  }
  return Check::good(fmt::format("{} folder{}", entries.size(), entries.size() == 1 ? "" : "s"));
}

}  // namespace prx::cli
