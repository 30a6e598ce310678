// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include "os/raw_syscall.hpp"

namespace prx::os {

/// A cgroup v2 group of one slot, below a directory that its descriptor names: everything a command starts is
/// in it, whatever it does to its parents and sessions, and cgroup.kill (Linux 5.14) ends all of it at once,
/// also what forks meanwhile. Named after the pid of the slot's prx-init, so that the spawner finds it when
/// that was killed.
class CgroupLeaf {
 public:
  /// Makes the group; is_open() says whether that worked.
  static CgroupLeaf create(int parent, int init_pid) noexcept;
  /// The group that a killed prx-init left behind.
  static CgroupLeaf find(int parent, int init_pid) noexcept;

  /// Removes the group of an ended prx-init, if it is still there.
  static void remove_left(int parent, int init_pid) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return directory_ >= 0; }
  [[nodiscard]] int directory() const noexcept { return directory_; }
  /// SIGKILL to everything in it.
  void kill() const noexcept;
  /// Removes it and what a command has made below it. Everything in it must have been reaped.
  void remove() noexcept;

 private:
  CgroupLeaf(int parent, int init_pid) noexcept;

  int parent_ = -1;
  int directory_ = -1;
  char name_[24] = {};
};

}  // namespace prx::os
