#include "os/mount_points.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace prx::os {
namespace {

/// Blank, tab, newline and backslash are written as \ and three octal digits (proc_pid_mountinfo(5)).
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || text.size() - i < 4) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

std::string_view field(std::string_view line, int number) {
  for (; number > 0; --number) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return {};
    line.remove_prefix(blank + 1);
  }
  return line.substr(0, line.find(' '));
}

}  // namespace

std::vector<std::string> parse_mount_points(std::string_view mountinfo) {
  constexpr int kMountPoint = 4;
  std::vector<std::string> points;
  while (!mountinfo.empty()) {
    const auto line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(line.size() + 1, mountinfo.size()));
    if (const auto point = field(line, kMountPoint); !point.empty()) points.push_back(unescape(point));
  }
  return points;
}

Result<std::vector<std::string>> mount_points_below(std::string_view directory) {
  std::ifstream file("/proc/self/mountinfo", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) {
    return Error{ErrorKind::unavailable, "mounts",     "/proc/self/mountinfo", 0,
                 "it cannot be read",    "mount /proc"};
  }
  auto points = parse_mount_points(text);
  const auto prefix = directory == "/" ? std::string("/") : std::string(directory) + "/";
  std::erase_if(points, [&](const auto& point) { return !point.starts_with(prefix) || point == prefix; });
  return points;
}

}  // namespace prx::os
