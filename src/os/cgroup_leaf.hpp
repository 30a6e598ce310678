// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <string_view>

#include "os/raw_syscall.hpp"

namespace prx::os {

/// The group of one slot in one hierarchy, below a directory that its descriptor names: everything a command
/// starts is in it, whatever it does to its parents and sessions. In v2 cgroup.kill (Linux 5.14) ends all of
/// it at once, also what forks meanwhile. The slot's prx-init is in it before it knows its command, so that
/// the command is in it without any call on the way.
class CgroupLeaf {
 public:
  /// Whose group it is. Slots are numbered from a number at random, so that two spawners of the same pid, in
  /// different pid namespaces, are not in each other's way.
  struct Name {
    int spawner = 0;
    int slot = 0;
  };

  /// None.
  CgroupLeaf() = default;
  /// Makes the group; is_open() says whether that worked, error() what did not.
  static CgroupLeaf create(int parent, Name name) noexcept;
  /// One that was made before, or none; to be ended and removed.
  static CgroupLeaf named(int parent, Name name) noexcept { return {parent, name}; }

  [[nodiscard]] bool is_open() const noexcept { return directory_ >= 0; }
  [[nodiscard]] int directory() const noexcept { return directory_; }
  /// -errno of create().
  [[nodiscard]] int error() const noexcept { return is_open() ? 0 : directory_; }
  [[nodiscard]] int spawner() const noexcept { return spawner_; }

  /// The file through which a single-threaded process moves itself. In v1 the one for threads, since it does
  /// not wait for every fork on the machine to pass (the other takes cgroup_threadgroup_rwsem).
  static constexpr const char* kEntrance = "cgroup.procs";
  static constexpr const char* kEntranceV1 = "tasks";
  /// Moves the calling process into the group; 0 or -errno.
  [[nodiscard]] long enter(const char* entrance) const noexcept;
  /// Moves the calling process to the parent group; false where it has to stay. A v2 parent whose groups have
  /// limits takes no process: then a group beside this one does, which is numbered 0.
  [[nodiscard]] bool leave(const char* entrance) const noexcept;
  /// Writes to a file of the group; 0 or -errno.
  [[nodiscard]] long set(const char* file, std::string_view value) const noexcept;
  /// A file of the group for reading, also once there would be no right to open it; or -errno.
  [[nodiscard]] int open_file(const char* file) const noexcept;
  /// SIGKILL to everything in it.
  void kill() const noexcept;
  void close() noexcept;
  /// Removes it and what a command has made below it. Everything in it must have been reaped.
  void remove() noexcept;

 private:
  enum class Existing { refused, shared };

  CgroupLeaf(int parent, Name name) noexcept;
  static CgroupLeaf create(int parent, Name name, Existing existing) noexcept;
  /// Its descriptor or -errno; -EAGAIN where it was swept away before it was locked.
  [[nodiscard]] int make_and_lock(Existing existing) const noexcept;

  int parent_ = -1;
  int directory_ = -1;  // or -errno
  int spawner_ = 0;
  char name_[40] = {};
};

/// Removes the empty groups below `parent` that nobody holds open any more: a spawner that was killed had no
/// time for those of the slots that ended with it. The kernel refuses where anything is in one.
void remove_forgotten_groups(int parent) noexcept;

}  // namespace prx::os
