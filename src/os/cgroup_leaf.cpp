#include "os/cgroup_leaf.hpp"

#include <fcntl.h>

#include <cstddef>
#include <cstdint>

#include "os/directory_entries.hpp"

namespace prx::os {
namespace {

constexpr int kMaxDepth = 16;

int open_directory(int parent, const char* name) {
  return static_cast<int>(
      raw_syscall(__NR_openat, parent, as_arg(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Groups can only be removed from the inside out; their files go with them.
void remove_tree(int parent, const char* name, int depth) {
  if (raw_syscall(__NR_unlinkat, parent, as_arg(name), AT_REMOVEDIR) == 0 || depth == 0) return;
  const int directory = open_directory(parent, name);
  if (directory < 0) return;
  for_each_entry(directory, [&](const DirectoryEntry& entry) {
    if (entry.is_directory() && !entry.is_dot()) remove_tree(directory, entry.name, depth - 1);
  });
  raw_syscall(__NR_close, directory);
  raw_syscall(__NR_unlinkat, parent, as_arg(name), AT_REMOVEDIR);
}

}  // namespace

CgroupLeaf::CgroupLeaf(int parent, int init_pid) noexcept : parent_(parent) {
  char* at = name_;
  for (const char* c = "prx-"; *c != '\0'; ++c) *at++ = *c;
  write_decimal(init_pid, at);
}

CgroupLeaf CgroupLeaf::create(int parent, int init_pid) noexcept {
  CgroupLeaf leaf(parent, init_pid);
  if (parent < 0) return leaf;
  // A group of that name is empty and forgotten: its prx-init had our pid, and is gone.
  remove_tree(parent, leaf.name_, kMaxDepth);
  constexpr int kMode = 0755;
  if (raw_syscall(__NR_mkdirat, parent, as_arg(leaf.name_), kMode) == 0)
    leaf.directory_ = open_directory(parent, leaf.name_);
  return leaf;
}

CgroupLeaf CgroupLeaf::find(int parent, int init_pid) noexcept {
  CgroupLeaf leaf(parent, init_pid);
  if (parent >= 0) leaf.directory_ = open_directory(parent, leaf.name_);
  return leaf;
}

void CgroupLeaf::remove_left(int parent, int init_pid) noexcept {
  if (parent >= 0) remove_tree(parent, CgroupLeaf(parent, init_pid).name_, kMaxDepth);
}

void CgroupLeaf::kill() const noexcept {
  if (!is_open()) return;
  const auto file = raw_syscall(__NR_openat, directory_, as_arg("cgroup.kill"), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;  // before Linux 5.14: the loop over the descendants has to do
  raw_syscall(__NR_write, file, as_arg("1"), 1);
  raw_syscall(__NR_close, file);
}

void CgroupLeaf::remove() noexcept {
  if (!is_open()) return;
  raw_syscall(__NR_close, directory_);
  directory_ = -1;
  remove_tree(parent_, name_, kMaxDepth);
}

}  // namespace prx::os
