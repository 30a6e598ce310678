#include "init/slot_folder.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include "init/remove_tree.hpp"
#include "init/sys.hpp"
#include "os/directory_entries.hpp"

namespace prx::init {
namespace {

using protocol::PlannedMount;

long open_directory(int parent, const char* name) {
  return raw_syscall(__NR_openat, parent, as_arg(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// A directory that nobody else could have put anything in. Another user may own the name in a shared /tmp.
long open_own_directory(int parent, const char* name) {
  // 0711: a slot that has become somebody else gets at its own folder, and cannot list the others.
  raw_syscall(__NR_mkdirat, parent, as_arg(name), 0711);
  const long fd = open_directory(parent, name);
  if (fd < 0) return fd;
  struct stat status{};
  raw_syscall(__NR_newfstatat, fd, as_arg(""), as_arg(&status), AT_EMPTY_PATH);
  const bool own = status.st_uid == static_cast<std::uint32_t>(raw_syscall(__NR_geteuid));
  if (own && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return fd;
  close_fd(static_cast<int>(fd));
  return -EEXIST;
}

Text<32> random_name() {
  std::uint64_t random[1] = {};
  raw_syscall(__NR_getrandom, as_arg(random), sizeof(random), 0);
  Text<32> name;
  name.put(random[0]);
  return name;
}

Text<32> slot_name(std::uint32_t slot) {
  Text<32> name;
  name.put(slot);
  return name;
}

/// The lock of a live one is held, also by its slots, which may outlive it.
void remove_forgotten(int users) {
  const Opened listing(open_directory(users, "."));
  os::for_each_entry(listing.get(), [users](const os::DirectoryEntry& entry) {
    if (entry.is_dot()) return;
    const Opened directory(open_directory(users, entry.name));
    if (!directory.ok() || raw_syscall(__NR_flock, directory.get(), LOCK_EX | LOCK_NB) < 0) return;
    remove_tree(users, entry.name);
  });
}

long write_file(int directory, const PlannedMount& mount) {
  const Opened file(raw_syscall(__NR_openat, directory, as_arg(mount.target.data() + 1),
                                O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mount.mode));
  if (!file.ok()) return file.error();
  const long written = write_fd(file.get(), mount.source.data(), mount.source.size());
  return written < 0 ? written : 0;
}

/// In the slot's new folder, which nobody else can get at yet.
long make_entry(int directory, const PlannedMount& mount, std::uint32_t uid, std::uint32_t gid) {
  const char* name = mount.target.data() + 1;
  long error = -EINVAL;
  if (mount.kind == PlannedMount::Kind::directory) {
    error = raw_syscall(__NR_mkdirat, directory, as_arg(name), mount.mode);
  } else if (mount.kind == PlannedMount::Kind::file) {
    error = write_file(directory, mount);
  } else if (mount.kind == PlannedMount::Kind::symlink) {
    error = raw_syscall(__NR_symlinkat, as_arg(mount.source.data()), directory, as_arg(name));
  }
  if (error < 0) return error;
  return raw_syscall(__NR_fchownat, directory, as_arg(name), uid, gid, AT_SYMLINK_NOFOLLOW);
}

}  // namespace

long SlotFolders::open(std::string_view base) {
  const auto uid = static_cast<std::uint64_t>(raw_syscall(__NR_geteuid));
  path_ = {};
  path_.put(base).put("/prx-slots-").put(uid);
  long users = open_own_directory(AT_FDCWD, path_.c_str());
  if (users == -EEXIST || users == -ELOOP || users == -ENOTDIR) {  // somebody took the name: one they cannot know
    path_.put("-").put(random_name().c_str());
    users = open_own_directory(AT_FDCWD, path_.c_str());
  }
  if (users < 0) return users;
  users_ = static_cast<int>(users);
  remove_forgotten(users_);
  name_ = random_name();
  path_.put("/").put(name_.c_str());
  if (path_.full()) return -ENAMETOOLONG;
  const long made = open_own_directory(users_, name_.c_str());
  if (made < 0) return made;
  directory_ = static_cast<int>(made);
  return raw_syscall(__NR_flock, directory_, LOCK_EX | LOCK_NB);
}

long SlotFolders::make(const protocol::SlotPlan& plan, std::uint32_t slot, std::uint32_t uid, std::uint32_t gid,
                       FolderPath& path, std::string_view& subject) const {
  path = path_;
  path.put("/").put(slot);
  subject = path.full() ? std::string_view() : std::string_view(path.c_str(), path.size());
  if (path.full()) return -ENAMETOOLONG;
  const auto name = slot_name(slot);
  if (const long error = raw_syscall(__NR_mkdirat, directory_, as_arg(name.c_str()), 0700); error < 0)
    return error;
  const Opened folder(open_directory(directory_, name.c_str()));
  if (!folder.ok()) return folder.error();
  long error = 0;
  plan.mounts.for_each([&](const PlannedMount& mount) {
    if (error < 0) return;
    error = make_entry(folder.get(), mount, uid, gid);
    if (error < 0) subject = mount.target;
  });
  if (error < 0) return error;
  return raw_syscall(__NR_fchownat, folder.get(), as_arg(""), uid, gid, AT_EMPTY_PATH);
}

void SlotFolders::remove(std::uint32_t slot) const {
  remove_tree(directory_, slot_name(slot).c_str());
}

bool SlotFolders::has(std::uint32_t slot) const {
  const auto name = slot_name(slot);
  // What the slot has left is usually nothing but the empty folder.
  const long error = raw_syscall(__NR_unlinkat, directory_, as_arg(name.c_str()), AT_REMOVEDIR);
  return error == -ENOTEMPTY;
}

void SlotFolders::close() {
  if (directory_ < 0) return;
  remove_tree(users_, name_.c_str());
  close_fd(directory_);
  close_fd(users_);
  directory_ = users_ = -1;
}

}  // namespace prx::init
