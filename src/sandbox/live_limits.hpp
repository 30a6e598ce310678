#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>

#include "core/planned_slot.hpp"
#include "sandbox/limits.hpp"

namespace prx::sandbox {

/// Slots that are confined to nothing but their limits. A host may give up its privileges, and with them what
/// the limits were held by: then they are planned anew. Thread-safe.
class LiveLimits {
 public:
  LiveLimits(const Config& config, const LimitPlan& first);

  /// Errors: as plan_limits().
  [[nodiscard]] Result<std::shared_ptr<const core::PlannedSlot>> current();

 private:
  const Config config_;
  std::mutex mutex_;
  std::shared_ptr<const core::PlannedSlot> planned_;  // guarded by mutex_
  uid_t uid_;                                         // guarded by mutex_
  gid_t gid_;                                         // guarded by mutex_
};

}  // namespace prx::sandbox
