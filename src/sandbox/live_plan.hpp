#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/planned_slot.hpp"
#include "core/workspace_watch.hpp"
#include "protocol/plan_encoder.hpp"
#include "sandbox/blueprint.hpp"
#include "sandbox/limits.hpp"

namespace prx::sandbox {

/// The plan of one runtime. A runtime may live for days: what it protects and hides on the host is looked at
/// before each start, and where that is not what it was, the plan is made anew. Thread-safe.
class LivePlan {
 public:
  using Planner = std::function<protocol::PlanFields(const Policy&, const HostView&)>;

  /// `kind`: of the sandbox. Errors as make_policy().
  static Result<std::shared_ptr<LivePlan>> make(std::string kind, Config config, Caller caller,
                                                Planner planner, LimitPlan limits);

  /// What the plan was made from, as it was last made.
  [[nodiscard]] std::shared_ptr<const Blueprint> blueprint();
  [[nodiscard]] Result<std::shared_ptr<const core::PlannedSlot>> current();
  /// For one execution, which then takes its slot.
  [[nodiscard]] Result<std::unique_ptr<core::WorkspaceWatch>> watch(const std::string& execution);

 private:
  LivePlan(std::string kind, Config config, Caller caller, Planner planner, LimitPlan limits);
  Result<void> renew();
  [[nodiscard]] bool holds() const;

  const std::string kind_;
  const Config config_;
  const Caller caller_;
  const Planner planner_;
  const LimitPlan limits_;
  const RealHost host_;

  std::mutex mutex_;
  std::shared_ptr<const Blueprint> blueprint_;        // guarded by mutex_
  std::shared_ptr<const core::PlannedSlot> planned_;  // guarded by mutex_
};

}  // namespace prx::sandbox
