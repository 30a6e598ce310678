// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include "os/raw_syscall.hpp"

namespace prx::os {

/// A cgroup v2 group of one slot, below a directory that its descriptor names: everything a command starts is
/// in it, whatever it does to its parents and sessions, and cgroup.kill (Linux 5.14) ends all of it at once,
/// also what forks meanwhile. The slot's prx-init begins its life in it, so that the command is in it without
/// any call on the way.
class CgroupLeaf {
 public:
  /// Whose group it is; unique below one directory.
  struct Name {
    int spawner = 0;
    int slot = 0;
  };

  /// None.
  CgroupLeaf() = default;
  /// Makes the group; is_open() says whether that worked.
  static CgroupLeaf create(int parent, Name name) noexcept;
  /// One that was made before, or none; to be ended and removed.
  static CgroupLeaf named(int parent, Name name) noexcept { return {parent, name}; }

  [[nodiscard]] bool is_open() const noexcept { return directory_ >= 0; }
  [[nodiscard]] int directory() const noexcept { return directory_; }
  [[nodiscard]] int spawner() const noexcept { return spawner_; }
  /// Moves the calling process to the parent group; false where it has to stay.
  [[nodiscard]] bool leave() const noexcept;
  /// SIGKILL to everything in it.
  void kill() const noexcept;
  void close() noexcept;
  /// Removes it and what a command has made below it. Everything in it must have been reaped.
  void remove() noexcept;

 private:
  CgroupLeaf(int parent, Name name) noexcept;

  int parent_ = -1;
  int directory_ = -1;
  int spawner_ = 0;
  char name_[40] = {};
};

/// Removes the empty groups below `parent`: a spawner that was killed had no time for those of the slots that
/// ended with it. The kernel refuses where anything is in one; a live spawner's group is empty only between
/// being made and being entered, and does without when it is gone by then.
void remove_forgotten_groups(int parent) noexcept;

}  // namespace prx::os
