// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstdint>

namespace prx::os {

/// Descendants of the calling process, found through /proc/…/children. Meant for a child subreaper: there,
/// every orphan of the tree becomes a direct child, so "no child left" means "nothing left".
///
/// One process can only be signalled by mistake if its pid is recycled between reading and signalling; so
/// each descendant is pinned by a pidfd first and its parent is read again afterwards.

/// Whether a direct child is to be left alone, with all below it.
using SpareChild = bool (*)(int pid, const void* context);

struct TreeFilter {
  SpareChild spare = nullptr;
  const void* context = nullptr;
};

/// Sends `signal` to every descendant; returns how many got it.
std::uint32_t signal_descendants(int signal, const TreeFilter& filter = {}) noexcept;

/// Calls `visit` for every descendant, as far as /proc shows them at this moment.
using VisitProcess = void (*)(int pid, void* context);
void for_each_descendant(VisitProcess visit, void* context) noexcept;

struct EndResult {
  std::uint32_t killed = 0;  ///< ended by our SIGKILL
  bool done = false;         ///< nothing is left
  std::uint32_t alive = 0;   ///< still there when the bound was reached; at least one where not done
};

/// Called for each child that is reaped: its pid and wait status.
using OnReaped = void (*)(int pid, int status, void* context);

/// SIGKILLs and reaps all descendants until none is left or `bound_ns` has passed. A tree that forks faster
/// than it can be read may win: that is what `alive` is for.
EndResult end_descendants(std::uint64_t bound_ns, const TreeFilter& filter = {}, OnReaped on_reaped = nullptr,
                          void* context = nullptr) noexcept;

}  // namespace prx::os
