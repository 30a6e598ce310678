#include "os/cgroup.hpp"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace prx::os {
namespace {

std::string read_file(const std::string& path) {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto size = ::read(fd.get(), buffer.data(), buffer.size());
    if (size <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

template <class F>
void for_each_line(std::string_view text, F&& visit) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = line.find(separator);
    if (end != 0) words.push_back(line.substr(0, end));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return words;
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Mount {
  std::string_view root;  // the group that the mount shows as its top
  std::string_view point;
};

/// "… root point options - type source super-options"; a v1 hierarchy's controllers are super options.
Mount find_mount(std::string_view mountinfo, std::string_view controller) {
  Mount found;
  for_each_line(mountinfo, [&](std::string_view line) {
    constexpr std::string_view kSeparator = " - ";
    const auto separator = line.find(kSeparator);
    if (separator == std::string_view::npos || !found.point.empty()) return;
    const auto type = split(line.substr(separator + kSeparator.size()), ' ');
    if (type.size() < 3) return;
    const bool wanted = controller.empty() ? type[0] == "cgroup2"
                                           : type[0] == "cgroup" && contains(split(type[2], ','), controller);
    if (!wanted) return;
    const auto words = split(line.substr(0, separator), ' ');
    constexpr std::size_t kRoot = 3;
    constexpr std::size_t kPoint = 4;
    if (words.size() > kPoint) found = {words[kRoot], words[kPoint]};
  });
  return found;
}

/// "id:controllers:path"; the v2 tree has no controllers there.
std::string_view find_path(std::string_view cgroup, std::string_view controller) {
  std::string_view path;
  for_each_line(cgroup, [&](std::string_view line) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) return;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const bool wanted =
        controller.empty() ? controllers.empty() : contains(split(controllers, ','), controller);
    if (wanted) path = line.substr(second + 1);
  });
  return path;
}

bool is_writable(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

bool may_make_groups(const std::string& directory, const char* entrance) {
  return !directory.empty() && is_writable(directory) && is_writable(directory + entrance);
}

/// systemd marks what it has given away, so that others can tell.
bool is_marked_delegated(const std::string& directory) {
  for (const auto* name : {"trusted.delegate", "user.delegate"}) {
    char value = '0';
    if (::getxattr(directory.c_str(), name, &value, 1) == 1 && value == '1') return true;
  }
  return false;
}

/// Whether groups made in `directory` have the controller.
bool passes_on(const std::string& directory, const char* controller) {
  const auto is_passed_on = [&] {
    const auto text = read_file(directory + "/cgroup.subtree_control");
    return contains(split(std::string_view(text).substr(0, text.find('\n')), ' '), controller);
  };
  if (is_passed_on()) return true;
  const auto available = read_file(directory + "/cgroup.controllers");
  if (!contains(split(std::string_view(available).substr(0, available.find('\n')), ' '), controller))
    return false;
  const base::Fd fd(::open((directory + "/cgroup.subtree_control").c_str(), O_WRONLY | O_CLOEXEC));
  const auto text = std::string("+") + controller;
  // EBUSY where the directory has processes of its own.
  return fd.is_open() && ::write(fd.get(), text.data(), text.size()) > 0 && is_passed_on();
}

std::string parent_of(const std::string& directory, std::string_view mount_point) {
  if (directory.size() <= mount_point.size()) return {};
  return directory.substr(0, directory.rfind('/'));
}

void find_unified(const CgroupTexts& texts, CgroupOwner owner, CgroupPlaces& places) {
  const auto own = cgroup_directory(texts, {});
  if (may_make_groups(own, "/cgroup.procs")) places.unified = own;
  const auto parent = own.empty() ? own : parent_of(own, find_mount(texts.mountinfo, {}).point);
  for (const auto& directory : {own, parent}) {
    if (!may_make_groups(directory, "/cgroup.procs")) continue;
    const bool is_given = !owner.is_root || !owner.systemd || is_marked_delegated(directory);
    if (!is_given) continue;
    const bool memory = places.memory.empty() && passes_on(directory, "memory");
    const bool pids = places.pids.empty() && passes_on(directory, "pids");
    if (!memory && !pids) continue;
    places.unified = directory;
    places.unified_memory = memory;
    places.unified_pids = pids;
    return;
  }
}

}  // namespace

CgroupTexts read_cgroup_texts() {
  return {read_file("/proc/self/mountinfo"), read_file("/proc/self/cgroup")};
}

CgroupOwner current_cgroup_owner() {
  return {::geteuid() == 0, ::access("/run/systemd/system", F_OK) == 0};
}

std::string cgroup_directory(const CgroupTexts& texts, std::string_view controller) {
  const auto mount = find_mount(texts.mountinfo, controller);
  auto path = find_path(texts.cgroup, controller);
  if (mount.point.empty() || path.empty()) return {};
  if (mount.root != "/") {
    if (!path.starts_with(mount.root)) return {};
    path.remove_prefix(mount.root.size());
  }
  std::string directory(mount.point);
  if (path != "/") directory += path;
  return directory;
}

CgroupPlaces find_cgroup_places(const CgroupTexts& texts, CgroupOwner owner) {
  CgroupPlaces places;
  const auto memory = cgroup_directory(texts, "memory");
  if (may_make_groups(memory, "/tasks")) places.memory = memory;
  const auto pids = cgroup_directory(texts, "pids");
  if (may_make_groups(pids, "/tasks")) places.pids = pids;
  find_unified(texts, owner, places);
  return places;
}

}  // namespace prx::os
