#include "sandbox/live_plan.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "sandbox/hidden_paths.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/place_watch.hpp"

namespace prx::sandbox {
namespace {

bool is_same(const Grant& grant, const HostView& host) {
  const auto now = host.look(grant.path);
  return now && now->device == grant.info.device && now->inode == grant.info.inode;
}

}  // namespace

LivePlan::LivePlan(Config config, Caller caller, Planner planner, LimitPlan limits)
    : config_(std::move(config)),
      caller_(std::move(caller)),
      planner_(std::move(planner)),
      limits_(std::move(limits)) {}

Result<std::shared_ptr<LivePlan>> LivePlan::make(Config config, Caller caller, Planner planner,
                                                 LimitPlan limits) {
  std::shared_ptr<LivePlan> live(
      new LivePlan(std::move(config), std::move(caller), std::move(planner), std::move(limits)));
  PRX_CHECK(live->renew());
  live->first_policy_ = live->policy_;
  live->first_plan_ = live->planner_(live->policy_, live->host_);
  return live;
}

Result<void> LivePlan::renew() {
  PRX_TRY(policy_, make_policy(config_, caller_, host_));
  planned_ = std::make_shared<const core::PlannedSlot>(plan_slot(planner_(policy_, host_), limits_));
  watched_ = std::make_shared<const std::vector<WatchedPlace>>(policy_.protection.watched);
  return {};
}

bool LivePlan::holds() const {
  const auto same = [&](const Grant& grant) { return is_same(grant, host_); };
  const auto to_protect = [&](const WatchedPlace& place) { return can_be_read_only(place, host_); };
  if (!is_same(policy_.workspace, host_)) return false;
  if (!std::all_of(policy_.read_only.begin(), policy_.read_only.end(), same)) return false;
  if (std::any_of(watched_->begin(), watched_->end(), to_protect)) return false;
  const auto hidden = find_hidden(config_, policy_, host_);
  return hidden && *hidden == policy_.hidden;
}

Result<std::shared_ptr<const core::PlannedSlot>> LivePlan::current() {
  const std::scoped_lock lock(mutex_);
  if (!holds()) PRX_CHECK(renew());
  return planned_;
}

Result<std::unique_ptr<core::WorkspaceWatch>> LivePlan::watch(const std::string& execution) {
  std::shared_ptr<const std::vector<WatchedPlace>> places;
  {
    const std::scoped_lock lock(mutex_);
    places = watched_;
  }
  const auto folder = caller_.state_folder.empty() ? "" : join(caller_.state_folder, "quarantine");
  return watch_places(std::move(places), Quarantine(folder, execution));
}

}  // namespace prx::sandbox
