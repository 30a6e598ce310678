#pragma once

#include <cstdint>

#include "os/process_tree.hpp"

namespace prx::init {

/// The command and all that it started, from the prx-init that it falls back to. Where this process is
/// process 1 of a namespace of its own, the kernel reaches all of it at once, also what forks meanwhile.
class ProcessTree {
 public:
  /// `own_namespace`: the slot was made with a pid namespace; believed only of process 1.
  explicit ProcessTree(bool own_namespace);

  [[nodiscard]] bool is_namespace() const { return namespace_; }
  /// Returns how many got it; in a namespace only that it was sent.
  std::uint32_t signal(int signal) const;
  /// Calls `visit` for each process, without this one.
  void for_each(os::VisitProcess visit, void* context) const;
  /// SIGKILLs and reaps until nothing is left or `bound_ns` has passed.
  os::EndResult end(std::uint64_t bound_ns, int signal_fd, os::OnReaped on_reaped, void* context) const;

 private:
  bool namespace_;
};

}  // namespace prx::init
