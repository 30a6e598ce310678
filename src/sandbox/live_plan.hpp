#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/planned_slot.hpp"
#include "core/workspace_watch.hpp"
#include "protocol/plan_encoder.hpp"
#include "sandbox/limits.hpp"
#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// The plan of one runtime. A runtime may live for days: what it protects and hides on the host is looked at
/// before each start, and where that is not what it was, the plan is made anew. Thread-safe.
class LivePlan {
 public:
  using Planner = std::function<protocol::PlanFields(const Policy&, const HostView&)>;

  /// Errors as make_policy().
  static Result<std::shared_ptr<LivePlan>> make(Config config, Caller caller, Planner planner,
                                                LimitPlan limits);

  /// As it was made first: what does not follow the host (environment, warnings) comes from here.
  [[nodiscard]] const Policy& first_policy() const noexcept { return first_policy_; }
  [[nodiscard]] const protocol::PlanFields& first_plan() const noexcept { return first_plan_; }

  [[nodiscard]] Result<std::shared_ptr<const core::PlannedSlot>> current();
  /// For one execution, which then takes its slot.
  [[nodiscard]] Result<std::unique_ptr<core::WorkspaceWatch>> watch(const std::string& execution);

 private:
  LivePlan(Config config, Caller caller, Planner planner, LimitPlan limits);
  Result<void> renew();
  [[nodiscard]] bool holds() const;

  const Config config_;
  const Caller caller_;
  const Planner planner_;
  const LimitPlan limits_;
  const RealHost host_;
  Policy first_policy_;
  protocol::PlanFields first_plan_;

  std::mutex mutex_;
  Policy policy_;                                             // guarded by mutex_
  std::shared_ptr<const core::PlannedSlot> planned_;          // guarded by mutex_
  std::shared_ptr<const std::vector<WatchedPlace>> watched_;  // guarded by mutex_
};

}  // namespace prx::sandbox
