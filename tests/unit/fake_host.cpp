#include "unit/fake_host.hpp"

#include "protocol/plan_encoder.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/slot_tree.hpp"

namespace prx::test {

using sandbox::FileInfo;
using sandbox::FileKind;

FakeHost& FakeHost::add(const std::string& path, FileInfo info, std::string text) {
  for (auto parent = sandbox::parent_of(path); !entries_.contains(parent);
       parent = sandbox::parent_of(parent))
    entries_[parent] = {{.kind = FileKind::directory, .mode = 0755}, {}};
  info.device = 1;
  info.inode = entries_.size() + 1;
  entries_[path] = {info, std::move(text)};
  return *this;
}

std::optional<FileInfo> FakeHost::look(const std::string& path) const {
  const auto at = entries_.find(path);
  return at == entries_.end() ? std::nullopt : std::optional(at->second.info);
}

std::string FakeHost::read_link(const std::string& path) const {
  const auto at = entries_.find(path);
  return at == entries_.end() || at->second.info.kind != FileKind::symlink ? std::string() : at->second.text;
}

std::string FakeHost::resolve(const std::string& path) const {
  const protocol::PlanFields host_tree;  // a plan without mounts
  const auto at = sandbox::SlotTree(host_tree, *this).find(path);
  return at.exists && !at.is_loop ? at.path : std::string();
}

std::string FakeHost::read_text(const std::string& path) const {
  const auto at = entries_.find(path);
  return at == entries_.end() || at->second.info.kind != FileKind::file ? std::string() : at->second.text;
}

std::vector<std::string> FakeHost::list(const std::string& path) const {
  std::vector<std::string> names;
  for (const auto& [entry, _] : entries_) {
    if (entry != "/" && sandbox::parent_of(entry) == path)
      names.push_back(entry.substr(entry.rfind('/') + 1));
  }
  return names;
}

}  // namespace prx::test
