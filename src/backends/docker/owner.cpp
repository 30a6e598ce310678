#include "backends/docker/owner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

namespace prx::backends {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string pid_namespace() {
  std::array<char, 64> target{};
  const auto size = ::readlink("/proc/self/ns/pid", target.data(), target.size());
  return size <= 0 ? "?" : std::string(target.data(), static_cast<std::size_t>(size));
}

/// Field 22 of /proc/PID/stat; the name before it may hold anything, but the last parenthesis is its own.
std::string start_time(std::string_view pid) {
  const auto stat = read_text(fmt::format("/proc/{}/stat", pid));
  auto at = stat.rfind(')');
  if (at == std::string::npos) return {};
  constexpr int kFieldsBetween = 20;
  for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = stat.find(' ', at + 1);
  return at == std::string::npos ? std::string() : stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

struct Place {
  std::string machine = read_text("/etc/machine-id");
  std::string boot = read_text("/proc/sys/kernel/random/boot_id");
  std::string pid_namespace = backends::pid_namespace();
};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('/', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::string own_owner_label() {
  const Place here;
  const auto pid = std::to_string(::getpid());
  return fmt::format("{}/{}/{}/{}/{}", here.machine, here.boot, here.pid_namespace, pid, start_time(pid));
}

Owner look_for_owner(std::string_view label) {
  const Place here;
  const auto parts = split(label);
  constexpr std::size_t kParts = 5;
  // A machine without an id of its own is told apart by its boot alone.
  if (parts.size() != kParts || parts[0] != here.machine) return Owner::elsewhere;
  if (parts[1] != here.boot) return here.machine.empty() ? Owner::elsewhere : Owner::dead;
  if (parts[2] != here.pid_namespace) return Owner::elsewhere;
  const auto started = start_time(parts[3]);
  return !started.empty() && started == parts[4] ? Owner::alive : Owner::dead;
}

}  // namespace prx::backends
