#pragma once

#include <sys/types.h>

#include <array>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::os {

struct LaunchPlan {
  int image = -1;         ///< the program, as a descriptor
  const char* name = "";  ///< what it is called: its argv[0], and in errors
  const char* role = "";  ///< its only argument
  /// Become descriptors 3, 4, …; the place of a -1 stays closed.
  std::array<int, 8> descriptors{-1, -1, -1, -1, -1, -1, -1, -1};
};

struct Launched {
  pid_t pid = 0;
  base::Fd pidfd;
};

/// Starts a program with an empty environment, /dev/null for its standard streams, the plan's descriptors and
/// nothing else open. Shares memory with the caller until exec (clone with CLONE_VM | CLONE_VFORK), so the
/// cost does not grow with the caller; works in any thread, also with signals blocked or SIGCHLD ignored.
/// Errors: exhausted, denied (executing the image is forbidden), setup_failed; steps "clone", "exec".
[[nodiscard]] Result<Launched> launch(const LaunchPlan& plan);

/// A pidfd of this process. Error kind unavailable before Linux 5.3.
[[nodiscard]] Result<base::Fd> open_own_pidfd();

/// Waits for a child by its pidfd; its exit code. A child that another part of the process has reaped already
/// is no error: 0.
int reap(const base::Fd& pidfd) noexcept;

}  // namespace prx::os
