#pragma once

#include <linux/mount.h>
#include <linux/openat2.h>

#include "init/sys.hpp"

/// The mount API of Linux 5.2 (mount_setattr: 5.12), on descriptors: nothing is looked up twice.
namespace prx::init {

/// What is mounted at `fd` and below it, detached.
inline long clone_tree(int fd) {
  constexpr unsigned kFlags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | 0x8000;  // AT_RECURSIVE
  return raw_syscall(__NR_open_tree, fd, as_arg(""), kFlags);
}

inline long attach(int tree, int place) {
  return raw_syscall(__NR_move_mount, tree, as_arg(""), place, as_arg(""),
                     MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

inline long set_attributes(int tree, const mount_attr& attributes, bool recursive) {
  return raw_syscall(__NR_mount_setattr, tree, as_arg(""), AT_EMPTY_PATH | (recursive ? 0x8000 : 0),
                     as_arg(&attributes), sizeof(attributes));
}

/// A place below `root`, which stands for "/"; no link is followed, whatever is in the way.
inline long open_below(int root, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags) | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS;
  return raw_syscall(__NR_openat2, root, as_arg(path), as_arg(&how), sizeof(how));
}

struct MountOption {
  const char* key;
  const char* value;
};

/// A file system of its own, detached. Options that the kernel does not know are left out when `lenient`.
long make_mount(const char* type, std::span<const MountOption> options, unsigned attributes);

}  // namespace prx::init
