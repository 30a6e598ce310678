#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <mutex>
#include <vector>

namespace prx::io {

/// Contexts for threads that run one themselves for a while. Kept, since making one costs three descriptors
/// and a dozen system calls. Each is used by one thread at a time, and only there.
class ContextPool {
 public:
  class Borrowed {
   public:
    Borrowed(ContextPool& pool, std::shared_ptr<boost::asio::io_context> context);
    ~Borrowed();
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    [[nodiscard]] const std::shared_ptr<boost::asio::io_context>& shared() const noexcept { return context_; }
    boost::asio::io_context* operator->() const noexcept { return context_.get(); }

   private:
    ContextPool& pool_;
    std::shared_ptr<boost::asio::io_context> context_;
  };

  ContextPool();
  [[nodiscard]] Borrowed borrow();

 private:
  void give_back(std::shared_ptr<boost::asio::io_context> context);

  std::mutex mutex_;
  std::vector<std::shared_ptr<boost::asio::io_context>> idle_;  // guarded by mutex_
};

}  // namespace prx::io
