#include "sandbox/live_limits.hpp"

#include <unistd.h>

#include "base/try.hpp"

namespace prx::sandbox {
namespace {

std::shared_ptr<const core::PlannedSlot> plan_of(const LimitPlan& limits) {
  return std::make_shared<const core::PlannedSlot>(plan_slot({}, limits));
}

}  // namespace

LiveLimits::LiveLimits(const Config& config, const LimitPlan& first)
    : config_(config), planned_(plan_of(first)), uid_(::geteuid()), gid_(::getegid()) {}

Result<std::shared_ptr<const core::PlannedSlot>> LiveLimits::current() {
  const std::scoped_lock lock(mutex_);
  if (uid_ == ::geteuid() && gid_ == ::getegid()) return planned_;
  PRX_TRY(const auto limits, plan_limits(config_, read_limit_facts(config_)));
  planned_ = plan_of(limits);
  uid_ = ::geteuid();
  gid_ = ::getegid();
  return planned_;
}

}  // namespace prx::sandbox
