#include "app/answer.hpp"

#include <utility>

#include <prx/supervision.hpp>

namespace prx {
namespace app {

void PendingAnswer::answer(bool allowed) {
  const std::scoped_lock lock(mutex_);
  if (!allowed_) allowed_ = allowed;
  answered_.notify_all();
}

std::optional<bool> PendingAnswer::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  answered_.wait_for(lock, time, [this] { return allowed_.has_value(); });
  if (!allowed_) {
    allowed_ = false;  // what comes now is too late
    return std::nullopt;
  }
  return allowed_;
}

}  // namespace app

namespace {

/// The end of the last copy is an answer, too: nobody can give another one.
std::shared_ptr<app::PendingAnswer> denying_at_end(std::shared_ptr<app::PendingAnswer> pending) {
  auto* raw = pending.get();
  return {raw, [kept = std::move(pending)](app::PendingAnswer* answer) { answer->answer(false); }};
}

}  // namespace

SupervisedAnswer::SupervisedAnswer(std::shared_ptr<app::PendingAnswer> pending)
    : pending_(denying_at_end(std::move(pending))) {}

void SupervisedAnswer::allow() const {
  pending_->answer(true);
}
void SupervisedAnswer::deny() const {
  pending_->answer(false);
}

}  // namespace prx
