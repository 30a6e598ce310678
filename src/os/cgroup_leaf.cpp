#include "os/cgroup_leaf.hpp"

#include <fcntl.h>

#include <cerrno>
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

long write_text(int directory, const char* file, std::string_view text) {
  const long fd = raw_syscall(__NR_openat, directory, as_arg(file), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return fd;
  const long written = raw_syscall(__NR_write, fd, as_arg(text.data()), static_cast<long>(text.size()));
  raw_syscall(__NR_close, fd);
  return written < 0 ? written : 0;
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

/// The spawner that a group is named after; 0 for what is no group of ours.
int spawner_of(const char* name) {
  for (std::size_t i = 0; i < kPrefixSize; ++i) {
    if (name[i] != kPrefix[i]) return 0;
  }
  return read_decimal(name + kPrefixSize);
}

/// Pids come round: one that is another program now is no spawner.
bool is_live_spawner(int pid) {
  if (raw_syscall(__NR_kill, pid, 0) == -ESRCH) return false;
  char path[40] = "/proc/";
  char* end = write_decimal(pid, path + 6);
  for (const char c : {'/', 's', 't', 'a', 't', '\0'}) *end++ = c;
  const long fd = raw_syscall(__NR_openat, AT_FDCWD, as_arg(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fd != -ENOENT;
  char text[40] = {};  // "pid (name) state": one that nobody has reaped is dead all the same
  raw_syscall(__NR_read, fd, as_arg(text), sizeof(text) - 1);
  raw_syscall(__NR_close, fd);
  const char* at = text;
  while (*at != '\0' && *at != '(') ++at;
  constexpr std::string_view kName = "(prx-init) ";
  const std::string_view rest(at);
  return rest.size() > kName.size() && rest.starts_with(kName) && rest[kName.size()] != 'Z' &&
         rest[kName.size()] != 'X';
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
  const long made = raw_syscall(__NR_mkdirat, parent, as_arg(leaf.name_), kMode);
  leaf.directory_ = made < 0 ? static_cast<int>(made) : open_directory(parent, leaf.name_);
  return leaf;
}

long CgroupLeaf::enter(const char* entrance) const noexcept {
  return write_text(directory_, entrance, "0");
}

bool CgroupLeaf::leave(const char* entrance) const noexcept {
  if (!is_open()) return false;
  if (write_text(parent_, entrance, "0") == 0) return true;
  auto beside = create(parent_, {spawner_, 0});
  // Another slot of the spawner may have made it.
  if (beside.error() == -EEXIST) beside.directory_ = open_directory(parent_, beside.name_);
  const bool left = beside.is_open() && beside.enter(entrance) == 0;
  beside.close();
  return left;
}

long CgroupLeaf::set(const char* file, std::string_view value) const noexcept {
  return write_text(directory_, file, value);
}

int CgroupLeaf::open_file(const char* file) const noexcept {
  return static_cast<int>(raw_syscall(__NR_openat, directory_, as_arg(file), O_RDONLY | O_CLOEXEC));
}

void CgroupLeaf::kill() const noexcept {
  // Before Linux 5.14 there is no such file: the loop over the descendants has to do.
  const int directory = is_open() ? directory_ : open_directory(parent_, name_);
  (void)write_text(directory, "cgroup.kill", "1");
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
    if (!entry.is_directory()) return;
    const int spawner = spawner_of(entry.name);
    if (spawner > 0 && !is_live_spawner(spawner)) remove_tree(parent, entry.name, kMaxDepth);
  });
  raw_syscall(__NR_close, directory);
}

}  // namespace prx::os
