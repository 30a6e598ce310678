#include "sandbox/local_host.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/fd.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/slot_tree.hpp"

namespace prx::sandbox {
namespace {

constexpr std::array<std::string_view, 13> kAnsweredElsewhere{"nfs",       "nfs4",  "cifs", "smb3", "smbfs",
                                                              "autofs",    "9p",    "ceph", "afs",  "lustre",
                                                              "glusterfs", "ncpfs", "fuse"};

bool is_answered_here(std::string_view type) {
  if (type.starts_with("fuse.")) return false;
  return std::find(kAnsweredElsewhere.begin(), kAnsweredElsewhere.end(), type) == kAnsweredElsewhere.end();
}

std::string own_mountinfo() {
  const base::Fd file(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 16384> part{};
  for (ssize_t size = 1; size > 0;) {
    size = ::read(file.get(), part.data(), part.size());
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
  }
  return text;
}

/// The n-th field of a line, counted from 0.
std::string_view field(std::string_view line, int n) {
  for (; n > 0; --n) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
  return line.substr(0, line.find(' '));
}

/// Blanks and the like stand there as "\040".
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// The sandbox's own mounts have been made from there, so it answers.
bool is_relied_on(const std::string& point, const Policy& policy) {
  if (is_within(policy.workspace.path, point)) return true;
  return std::any_of(policy.grants.begin(), policy.grants.end(),
                     [&](const Grant& grant) { return is_within(grant.path, point); });
}

}  // namespace

LocalHost::LocalHost(const Blueprint& blueprint) : LocalHost(blueprint, own_mountinfo()) {}

LocalHost::LocalHost(const Blueprint& blueprint, std::string_view mountinfo) {
  constexpr int kPoint = 4;
  while (!mountinfo.empty()) {
    const auto line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(line.size() + 1, mountinfo.size()));
    const auto dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    auto point = unescaped(field(line, kPoint));
    const bool local =
        is_answered_here(field(line.substr(dash + 3), 0)) || is_relied_on(point, blueprint.policy);
    mounts_.push_back({std::move(point), local});
  }
}

bool LocalHost::is_local(std::string_view path) const {
  const auto last = std::find_if(mounts_.rbegin(), mounts_.rend(),
                                 [path](const Mount& mount) { return is_within(path, mount.point); });
  return last == mounts_.rend() || last->is_local;
}

std::optional<FileInfo> LocalHost::look(const std::string& path) const {
  return is_local(path) ? host_.look(path) : std::nullopt;
}

std::string LocalHost::read_link(const std::string& path) const {
  return is_local(path) ? host_.read_link(path) : std::string();
}

/// Part by part, so that no link leads the kernel to where this class would not look.
std::string LocalHost::resolve(const std::string& path) const {
  const protocol::PlanFields host_tree;  // a plan without mounts
  const auto at = SlotTree(host_tree, *this).find(path);
  return at.exists && !at.is_loop ? at.path : std::string();
}

std::string LocalHost::read_text(const std::string& path) const {
  return is_local(path) ? host_.read_text(path) : std::string();
}

std::vector<std::string> LocalHost::list(const std::string& path) const {
  return is_local(path) ? host_.list(path) : std::vector<std::string>();
}

}  // namespace prx::sandbox
