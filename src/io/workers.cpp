#include "io/workers.hpp"

#include <pthread.h>

#include <utility>

#include "os/signal_mask.hpp"

namespace prx::io {

Workers::~Workers() {
  for (;;) {
    std::vector<std::thread> threads;
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
      threads.swap(threads_);
    }
    changed_.notify_all();
    if (threads.empty()) return;
    for (auto& thread : threads) thread.join();  // a job of one may have started another
  }
}

void Workers::run(Job job) {
  const std::scoped_lock lock(mutex_);
  jobs_.push_back(std::move(job));
  if (idle_ >= jobs_.size() || threads_.size() >= most_) {
    changed_.notify_one();
    return;
  }
  const os::AllSignalsBlocked guard;
  threads_.emplace_back([this] {
    pthread_setname_np(pthread_self(), "prx-worker");
    work();
  });
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return !jobs_.empty() || ending_; });
    --idle_;
    if (jobs_.empty()) return;
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace prx::io
