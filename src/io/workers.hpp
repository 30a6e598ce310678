#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace prx::io {

/// Threads for what has to wait (for another machine, for a daemon), made when there is something to do and no
/// thread is idle, up to a number; beyond it jobs wait for their turn. No signal is delivered to them.
class Workers {
 public:
  using Job = std::function<void()>;

  explicit Workers(std::size_t most) : most_(most) {}
  /// Runs what was queued, and waits for it.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Any thread, also one of these. A job does not throw.
  void run(Job job);

 private:
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;              // guarded by mutex_
  std::vector<std::thread> threads_;  // guarded by mutex_
  std::size_t idle_ = 0;              // guarded by mutex_
  bool ending_ = false;               // guarded by mutex_
};

}  // namespace prx::io
