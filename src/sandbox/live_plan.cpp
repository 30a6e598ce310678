#include "sandbox/live_plan.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "sandbox/hidden_paths.hpp"
#include "sandbox/place_watch.hpp"

namespace prx::sandbox {
namespace {

bool is_same(const Grant& grant, const HostView& host) {
  const auto now = host.look(grant.path);
  return now && now->device == grant.info.device && now->inode == grant.info.inode;
}

}  // namespace

LivePlan::LivePlan(std::string kind, Config config, Caller caller, Planner planner, LimitPlan limits)
    : kind_(std::move(kind)),
      config_(std::move(config)),
      caller_(std::move(caller)),
      planner_(std::move(planner)),
      limits_(std::move(limits)) {}

Result<std::shared_ptr<LivePlan>> LivePlan::make(std::string kind, Config config, Caller caller,
                                                 Planner planner, LimitPlan limits) {
  std::shared_ptr<LivePlan> live(new LivePlan(std::move(kind), std::move(config), std::move(caller),
                                              std::move(planner), std::move(limits)));
  PRX_CHECK(live->renew());
  return live;
}

Result<void> LivePlan::renew() {
  PRX_TRY(auto policy, make_policy(config_, caller_, host_));
  auto plan = planner_(policy, host_);
  planned_ = std::make_shared<const core::PlannedSlot>(plan_slot(plan, limits_));
  blueprint_ =
      std::make_shared<const Blueprint>(Blueprint{kind_, config_, std::move(policy), std::move(plan)});
  return {};
}

bool LivePlan::holds() const {
  const auto& policy = blueprint_->policy;
  const auto same = [&](const Grant& grant) { return is_same(grant, host_); };
  const auto to_protect = [&](const WatchedPlace& place) { return can_be_read_only(place, host_); };
  if (!is_same(policy.workspace, host_)) return false;
  if (!std::all_of(policy.read_only.begin(), policy.read_only.end(), same)) return false;
  const auto& watched = policy.protection.watched;
  if (std::any_of(watched.begin(), watched.end(), to_protect)) return false;
  const auto hidden = find_hidden(config_, policy, host_);
  return hidden && *hidden == policy.hidden;
}

std::shared_ptr<const Blueprint> LivePlan::blueprint() {
  const std::scoped_lock lock(mutex_);
  return blueprint_;
}

Result<std::shared_ptr<const core::PlannedSlot>> LivePlan::current() {
  const std::scoped_lock lock(mutex_);
  if (!holds()) PRX_CHECK(renew());
  return planned_;
}

Result<std::unique_ptr<core::WorkspaceWatch>> LivePlan::watch(const std::string& execution) {
  const auto blueprint = this->blueprint();
  std::shared_ptr<const std::vector<WatchedPlace>> places(blueprint, &blueprint->policy.protection.watched);
  return watch_places(std::move(places), Quarantine(caller_.quarantine, execution));
}

}  // namespace prx::sandbox
