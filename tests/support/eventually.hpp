#pragma once

#include <chrono>
#include <thread>

namespace prx::test {

/// Whether `predicate()` becomes true within `deadline`; asks at once, then every few milliseconds, and
/// once more at the end. For what another process or the kernel does in its own time.
template <class Predicate>
[[nodiscard]] bool eventually(std::chrono::milliseconds deadline, Predicate&& predicate) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!predicate()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace prx::test
