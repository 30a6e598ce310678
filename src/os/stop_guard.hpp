#pragma once

#include <thread>

namespace prx::os {

/// Continues a child of this process whenever something has stopped it, until it ends. For a child that
/// others could stop and that nobody else would wake.
class StopGuard {
 public:
  /// `pidfd` is borrowed, and open until this is gone. May throw std::system_error: no room for a thread.
  explicit StopGuard(int pidfd);
  /// Waits for the end of the child.
  ~StopGuard();
  StopGuard(const StopGuard&) = delete;
  StopGuard& operator=(const StopGuard&) = delete;

 private:
  std::thread thread_;
};

}  // namespace prx::os
