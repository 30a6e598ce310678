#include "io/context_pool.hpp"

#include <utility>

namespace prx::io {
namespace {
/// More threads than this at once make their own: descriptors are worth more than the time.
constexpr std::size_t kMaxIdle = 8;
}  // namespace

ContextPool::Borrowed::Borrowed(ContextPool& pool, std::shared_ptr<boost::asio::io_context> context)
    : pool_(pool), context_(std::move(context)) {}

ContextPool::Borrowed::~Borrowed() {
  // One that did not run out of work still holds handlers of its execution: those end with it.
  if (context_->stopped()) pool_.give_back(std::move(context_));
}

ContextPool::ContextPool() {
  idle_.reserve(kMaxIdle);  // giving one back never allocates: it is done while an error is returned
}

ContextPool::Borrowed ContextPool::borrow() {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      auto context = std::move(idle_.back());
      idle_.pop_back();
      return {*this, std::move(context)};
    }
  }
  return {*this, std::make_shared<boost::asio::io_context>(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE)};
}

void ContextPool::give_back(std::shared_ptr<boost::asio::io_context> context) {
  context->restart();
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(context));
}

}  // namespace prx::io
