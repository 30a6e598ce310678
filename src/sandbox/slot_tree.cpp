#include "sandbox/slot_tree.hpp"

#include <algorithm>
#include <string_view>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

using protocol::MountFields;
using Kind = protocol::PlannedMount::Kind;

/// What the host has where a bind shows `path`.
std::string behind(const MountFields& mount, const std::string& path) {
  if (path.size() == mount.target.size()) return mount.source;
  return mount.source + path.substr(mount.target.size());
}

/// The parts of a path that are still to be gone.
class PathParts {
 public:
  explicit PathParts(std::string path) : rest_(std::move(path)) {}

  /// Empty at the end.
  std::string next() {
    const auto begin = rest_.find_first_not_of('/');
    if (begin == std::string::npos) return {};
    const auto end = std::min(rest_.find('/', begin), rest_.size());
    auto name = rest_.substr(begin, end - begin);
    rest_.erase(0, end);
    return name;
  }
  void prepend(const std::string& path) { rest_.insert(0, path + "/"); }

 private:
  std::string rest_;
};

constexpr int kMaxLinks = 40;  // as many as the kernel follows

}  // namespace

SlotPath SlotTree::find(const std::string& path, const Visit& visit) const {
  PathParts parts(path);
  SlotPath at = look("/");
  int links = 0;
  for (auto name = parts.next(); !name.empty(); name = parts.next()) {
    if (name == ".") continue;
    if (!at.exists) {  // nothing can be below
      at.path = join(at.path, name);
      at.parent_exists = false;
      continue;
    }
    if (visit) visit(at);
    if (name == "..") {
      at = look(parent_of(at.path));
      continue;
    }
    auto next = look(join(at.path, name));
    const auto text = link_text(next);
    if (text.empty()) {
      at = std::move(next);
      continue;
    }
    if (++links > kMaxLinks) {
      next.is_loop = true;
      return next;
    }
    parts.prepend(text);
    if (text.front() == '/') at = look("/");
  }
  return at;
}

/// Later entries lie on top, also of inner ones that came before.
const MountFields* SlotTree::deciding(const std::string& path) const {
  const auto last = std::find_if(plan_.mounts.rbegin(), plan_.mounts.rend(),
                                 [&](const MountFields& mount) { return is_within(path, mount.target); });
  return last == plan_.mounts.rend() ? nullptr : &*last;
}

bool SlotTree::holds_a_mount(const std::string& path) const {
  return std::any_of(plan_.mounts.begin(), plan_.mounts.end(),
                     [&](const MountFields& mount) { return is_within(mount.target, path); });
}

/// Only the sandbox's own processes have a folder there, and which those are no plan knows.
bool SlotTree::is_in_own_proc(const std::string& path) const {
  constexpr std::string_view kProc = "/proc/";
  if (!path.starts_with(kProc)) return true;
  const auto first = path.substr(kProc.size(), path.find('/', kProc.size()) - kProc.size());
  const bool is_process = first.find_first_not_of("0123456789") == std::string::npos;
  return !is_process && host_.look(std::string(kProc) + first).has_value();
}

SlotPath SlotTree::look(std::string path) const {
  SlotPath at;
  at.path = std::move(path);
  if (plan_.mounts.empty()) {
    at.host_path = at.path;
    at.info = host_.look(at.path);
    at.exists = at.info.has_value();
    return at;
  }
  at.mount = deciding(at.path);
  if (at.mount == nullptr) {
    at.exists = holds_a_mount(at.path);
    return at;
  }
  switch (at.mount->kind) {
    case Kind::bind:
    case Kind::device:
      at.host_path = behind(*at.mount, at.path);
      at.info = host_.look(at.host_path);
      at.exists = at.info.has_value();
      break;
    case Kind::proc:
      at.exists = is_in_own_proc(at.path);
      break;
    case Kind::directory:
    case Kind::terminals:
      at.exists = holds_a_mount(at.path);
      break;
    case Kind::file:
    case Kind::symlink:
      at.exists = at.path == at.mount->target;
      break;
  }
  return at;
}

std::string SlotTree::link_text(const SlotPath& at) const {
  if (at.mount != nullptr && at.mount->kind == Kind::symlink) return at.exists ? at.mount->source : "";
  if (!at.info || at.info->kind != FileKind::symlink) return {};
  return host_.read_link(at.host_path);
}

}  // namespace prx::sandbox
