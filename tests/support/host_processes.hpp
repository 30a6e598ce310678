#pragma once

#include <vector>

#include "support/proc_table.hpp"

namespace prx::test {

/// Each running prx-init (spawner or init) whose host is this process: its descriptor 4 is a pidfd of the
/// host. Only root may look, since prx-init is not dumpable; another user sees none.
[[nodiscard]] std::vector<ProcessInfo> inits_of_this_process();

/// This process becomes the one that orphans below it come to, so that nothing below it can hide.
void adopt_orphans();
/// Reaps what has ended among the children of this process; whether none is left.
[[nodiscard]] bool no_children_left();

}  // namespace prx::test
