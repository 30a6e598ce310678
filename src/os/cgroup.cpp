#include "os/cgroup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

namespace prx::os {
namespace {

std::string read_file(const char* path) {
  const base::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
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

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = line.find(' ');
    if (end != 0) words.push_back(line.substr(0, end));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return words;
}

struct Mount {
  std::string_view root;  // the group that the mount shows as its top
  std::string_view point;
};

Mount find_cgroup2(std::string_view mountinfo) {
  Mount found;
  for_each_line(mountinfo, [&found](std::string_view line) {
    const auto separator = line.find(" - cgroup2 ");
    if (separator == std::string_view::npos || !found.point.empty()) return;
    const auto words = split_words(line.substr(0, separator));
    constexpr std::size_t kRoot = 3;
    constexpr std::size_t kPoint = 4;
    if (words.size() > kPoint) found = {words[kRoot], words[kPoint]};
  });
  return found;
}

}  // namespace

std::string cgroup2_directory(std::string_view mountinfo, std::string_view cgroup) {
  const auto mount = find_cgroup2(mountinfo);
  std::string_view path;
  for_each_line(cgroup, [&path](std::string_view line) {
    if (line.starts_with("0::")) path = line.substr(3);
  });
  if (mount.point.empty() || path.empty()) return {};
  if (mount.root != "/") {
    if (!path.starts_with(mount.root)) return {};
    path.remove_prefix(mount.root.size());
  }
  std::string directory(mount.point);
  if (path != "/") directory += path;
  return directory;
}

base::Fd open_own_cgroup() {
  const auto path = cgroup2_directory(read_file("/proc/self/mountinfo"), read_file("/proc/self/cgroup"));
  if (path.empty()) return {};
  base::Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const bool writable = directory.is_open() && ::faccessat(directory.get(), ".", W_OK, AT_EACCESS) == 0;
  return writable ? std::move(directory) : base::Fd();
}

}  // namespace prx::os
