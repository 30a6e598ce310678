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

bool write_text(int directory, const char* file, const char* digit) {
  const long fd = raw_syscall(__NR_openat, directory, as_arg(file), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const long written = raw_syscall(__NR_write, fd, as_arg(digit), 1);
  raw_syscall(__NR_close, fd);
  return written == 1;
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

constexpr char kPrefix[] = "prx-";
constexpr std::size_t kPrefixSize = sizeof(kPrefix) - 1;

bool is_group_name(const char* name) {
  for (std::size_t i = 0; i < kPrefixSize; ++i) {
    if (name[i] != kPrefix[i]) return false;
  }
  return true;
}

}  // namespace

CgroupLeaf::CgroupLeaf(int parent, Name name) noexcept : parent_(parent), spawner_(name.spawner) {
  char* at = name_;
  for (const char* c = kPrefix; *c != '\0'; ++c) *at++ = *c;
  at = write_decimal(name.spawner, at);
  *at++ = '-';
  write_decimal(name.slot, at);
}

CgroupLeaf CgroupLeaf::create(int parent, Name name) noexcept {
  CgroupLeaf leaf(parent, name);
  if (parent < 0) return leaf;
  constexpr int kMode = 0755;
  if (raw_syscall(__NR_mkdirat, parent, as_arg(leaf.name_), kMode) == 0)
    leaf.directory_ = open_directory(parent, leaf.name_);
  return leaf;
}

bool CgroupLeaf::leave() const noexcept {
  return is_open() && write_text(parent_, "cgroup.procs", "0");
}

void CgroupLeaf::kill() const noexcept {
  // Before Linux 5.14 there is no such file: the loop over the descendants has to do.
  const int directory = is_open() ? directory_ : open_directory(parent_, name_);
  write_text(directory, "cgroup.kill", "1");
  if (!is_open()) raw_syscall(__NR_close, directory);
}

void CgroupLeaf::close() noexcept {
  if (is_open()) raw_syscall(__NR_close, directory_);
  directory_ = -1;
}

void CgroupLeaf::remove() noexcept {
  close();
  if (parent_ >= 0) remove_tree(parent_, name_, kMaxDepth);
}

void remove_forgotten_groups(int parent) noexcept {
  const int directory = open_directory(parent, ".");  // an offset of its own
  if (directory < 0) return;
  for_each_entry(directory, [parent](const DirectoryEntry& entry) {
    if (entry.is_directory() && is_group_name(entry.name))
      raw_syscall(__NR_unlinkat, parent, as_arg(entry.name), AT_REMOVEDIR);
  });
  raw_syscall(__NR_close, directory);
}

}  // namespace prx::os
