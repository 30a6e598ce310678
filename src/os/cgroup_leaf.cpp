#include "os/cgroup_leaf.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool is_name_of_ours(const char* name) {
  for (std::size_t i = 0; i < kPrefixSize; ++i) {
    if (name[i] != kPrefix[i]) return false;
  }
  return read_decimal(name + kPrefixSize) > 0;
}

/// A lock on the directory says that its group is in use, and ends with the last process that holds it,
/// however that ended: pids would not do, since they come round and mean nothing in another pid namespace.
/// False where the group was taken for a forgotten one before it was locked.
bool lock_in_use(int directory, int parent, const char* name) {
  while (raw_syscall(__NR_flock, directory, LOCK_SH) == -EINTR) {
  }
  return raw_syscall(__NR_faccessat, parent, as_arg(name), F_OK) != -ENOENT;
}

/// Also where it cannot be asked: what is left behind does no harm.
bool is_in_use(int directory) {
  return raw_syscall(__NR_flock, directory, LOCK_EX | LOCK_NB) != 0;
}

/// Another sweep may have removed what was opened, and its owner have made it anew.
bool is_still(int directory, int parent, const char* name) {
  struct stat opened{};
  struct stat named{};
  return raw_syscall(__NR_newfstatat, directory, as_arg(""), as_arg(&opened), AT_EMPTY_PATH) == 0 &&
         raw_syscall(__NR_newfstatat, parent, as_arg(name), as_arg(&named), AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void remove_unless_in_use(int parent, const char* name) {
  const int directory = open_directory(parent, name);
  if (directory < 0) return;
  if (!is_in_use(directory) && is_still(directory, parent, name)) remove_tree(parent, name, kMaxDepth);
  raw_syscall(__NR_close, directory);
}

/// How often a group is made anew that another's sweep removed before it was locked: one that sweeps without
/// a pause wins most of the time.
constexpr int kAttempts = 1000;

}  // namespace

CgroupLeaf::CgroupLeaf(int parent, Name name) noexcept : parent_(parent), spawner_(name.spawner) {
  char* at = name_;
  for (const char* c = kPrefix; *c != '\0'; ++c) *at++ = *c;
  at = write_decimal(name.spawner, at);
  *at++ = '-';
  write_decimal(name.slot, at);
}

CgroupLeaf CgroupLeaf::create(int parent, Name name) noexcept {
  return create(parent, name, Existing::refused);
}

CgroupLeaf CgroupLeaf::create(int parent, Name name, Existing existing) noexcept {
  CgroupLeaf leaf(parent, name);
  if (parent < 0) return leaf;
  leaf.directory_ = -EAGAIN;
  for (int attempt = 0; attempt < kAttempts && leaf.directory_ == -EAGAIN; ++attempt) {
    leaf.directory_ = leaf.make_and_lock(existing);
  }
  return leaf;
}

int CgroupLeaf::make_and_lock(Existing existing) const noexcept {
  constexpr int kMode = 0755;
  const long made = raw_syscall(__NR_mkdirat, parent_, as_arg(name_), kMode);
  if (made < 0 && (made != -EEXIST || existing == Existing::refused)) return static_cast<int>(made);
  const int directory = open_directory(parent_, name_);
  if (directory < 0) return directory == -ENOENT ? -EAGAIN : directory;
  if (lock_in_use(directory, parent_, name_)) return directory;
  raw_syscall(__NR_close, directory);
  return -EAGAIN;
}

long CgroupLeaf::enter(const char* entrance) const noexcept {
  return write_text(directory_, entrance, "0");
}

bool CgroupLeaf::leave(const char* entrance) const noexcept {
  if (!is_open()) return false;
  if (write_text(parent_, entrance, "0") == 0) return true;
  auto beside = create(parent_, {spawner_, 0}, Existing::shared);  // by all slots of the spawner
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
    if (entry.is_directory() && is_name_of_ours(entry.name)) remove_unless_in_use(parent, entry.name);
  });
  raw_syscall(__NR_close, directory);
}

}  // namespace prx::os
