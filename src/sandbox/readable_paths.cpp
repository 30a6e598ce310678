#include "sandbox/readable_paths.hpp"

#include <algorithm>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

constexpr std::uint32_t kOthersRead = 04;
constexpr std::uint32_t kOthersEnter = 05;

bool is_public(const FileInfo& info) {
  if (info.kind == FileKind::symlink) return true;
  const auto needed = info.kind == FileKind::directory ? kOthersEnter : kOthersRead;
  return (info.mode & needed) == needed;
}

}  // namespace

bool ReadablePaths::must_look_into(const std::string& path) const {
  return only_public_ || std::any_of(hidden_.begin(), hidden_.end(),
                                     [&](const std::string& hidden) { return is_within(hidden, path); });
}

ReadablePaths::Tree ReadablePaths::look_at(const std::string& path) const {
  if (!must_look_into(path)) return {true, {path}};
  const bool is_hidden = std::any_of(hidden_.begin(), hidden_.end(),
                                     [&](const std::string& hidden) { return is_within(path, hidden); });
  const auto info = host_.look(path);
  if (is_hidden || !info || (only_public_ && !is_public(*info))) return {false, {}};
  if (info->kind != FileKind::directory) return {true, {path}};
  Tree tree;
  for (const auto& name : host_.list(path)) {
    auto entry = look_at(join(path, name));
    tree.whole = tree.whole && entry.whole;
    tree.parts.insert(tree.parts.end(), entry.parts.begin(), entry.parts.end());
  }
  if (tree.whole) tree.parts = {path};
  return tree;
}

std::vector<std::string> ReadablePaths::within(const std::string& root) const {
  return look_at(root).parts;
}

}  // namespace prx::sandbox
