#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace prx::app {

/// What a supervisor's answer goes into.
class PendingAnswer {
 public:
  /// The first answer counts.
  void answer(bool allowed);
  /// Nothing: none came in time.
  [[nodiscard]] std::optional<bool> wait_for(std::chrono::milliseconds time);

 private:
  std::mutex mutex_;
  std::condition_variable answered_;
  std::optional<bool> allowed_;  // guarded by mutex_
};

}  // namespace prx::app
