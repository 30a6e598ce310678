#include "core/spawner_slots.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/log.hpp"
#include "base/try.hpp"
#include "core/send_fds.hpp"
#include "os/cgroup_leaf.hpp"
#include "os/pipe.hpp"
#include "protocol/spawner_message.hpp"

namespace prx::core {

using protocol::SpawnerMessage;

namespace {

/// False when the spawner is gone.
bool send_message(const base::Fd& control, SpawnerMessage message, std::span<const int> fds) {
  const auto bytes = std::as_bytes(std::span(&message, 1));
  return send_with_fds(control.get(), bytes, fds, /*flags=*/0) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

SpawnerSlots::SpawnerSlots(std::uint32_t parked, PlanSource plan, LaunchSlots launch, Pick pick)
    : wanted_(parked), plan_source_(std::move(plan)), launch_(std::move(launch)), pick_(pick) {}

SpawnerSlots::~SpawnerSlots() {
  // Closing the control socket ends the spawner. One that was killed could not remove its groups.
  for (const auto& directory : groups_) {
    if (directory.is_open()) os::remove_forgotten_groups(directory.get());
  }
}

SpawnerSlots::Identity SpawnerSlots::current_identity() {
  Identity identity{};
  uid_t saved_uid = 0;
  gid_t saved_gid = 0;
  ::getresuid(&identity.uid, &identity.euid, &saved_uid);
  ::getresgid(&identity.gid, &identity.egid, &saved_gid);
  return identity;
}

/// The host may have changed since the spawner was started, in what the plan protects or hides.
Result<void> SpawnerSlots::renew_plan() {
  PRX_TRY(auto planned, plan_source_());
  if (planned != planned_) leave_spawner();
  planned_ = std::move(planned);
  return {};
}

/// It stays for as long as one of its slots is busy.
void SpawnerSlots::leave_spawner() {
  parked_.clear();
  control_.reset();
}

Result<void> SpawnerSlots::ensure_spawner() {
  const auto identity = current_identity();
  if (control_.is_open() && identity == identity_) return {};
  leave_spawner();
  PRX_TRY(auto sockets, os::open_socket_pair(SOCK_SEQPACKET));
  PRX_TRY(const auto pidfd, os::open_own_pidfd());
  PRX_CHECK(open_groups());
  PRX_TRY(const auto plan, open_plan(*planned_));
  PRX_TRY(const auto launched,
          launch_("spawner", {.stream = sockets.second.get(),
                              .host_pidfd = pidfd.get(),
                              .plan = plan.get(),
                              .groups = {groups_[0].get(), groups_[1].get(), groups_[2].get()}}));
  // It forks at once, so that the spawner itself is no child of the host; its exit code is the errno of that.
  if (const int error = os::reap(launched.pidfd); error != 0) return os::system_error("spawner", error);
  control_ = std::move(sockets.first);
  identity_ = identity;
  return {};
}

Result<void> SpawnerSlots::open_groups() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto& directory = planned_->groups.at(i);
    groups_.at(i).reset();
    if (directory.empty()) continue;
    groups_.at(i) = base::Fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (groups_.at(i).is_open()) continue;
    auto error = os::system_error("limits", errno);
    error.subject = directory;
    return error;
  }
  return {};
}

Result<Slot> SpawnerSlots::fork_slot(SlotKind kind) {
  for (bool retried = false;; retried = true) {
    PRX_CHECK(ensure_spawner());
    PRX_TRY(auto sockets, os::open_socket_pair(SOCK_STREAM));
    const auto id = next_slot_++;
    const SpawnerMessage message{SpawnerMessage::Kind::fork_slot, id, wanted_ > 0 ? 1U : 0U};
    const int attached = sockets.second.get();
    if (send_message(control_, message, {&attached, 1})) {
      return Slot{id, kind, std::move(sockets.first), SlotStreams::descriptors, planned_};
    }
    const int error = errno;
    if (error != EPIPE && error != ECONNRESET) return os::system_error("spawner", error);
    leave_spawner();
    if (retried) return Error{ErrorKind::internal, "spawner", {}, error, "a new spawner does not answer", {}};
    base::log(base::LogLevel::warning, "the spawner was gone; starting another");
  }
}

void SpawnerSlots::park_missing() {
  while (parked_.size() < wanted_) {
    auto slot = fork_slot(SlotKind::warm);
    if (!slot) return;  // the next cold start reports it
    parked_.push_back(std::move(slot).value());
  }
}

Result<Slot> SpawnerSlots::take() {
  const std::scoped_lock lock(mutex_);
  PRX_CHECK(renew_plan());
  PRX_CHECK(ensure_spawner());
  if (parked_.empty()) {
    auto slot = fork_slot(SlotKind::cold);
    park_missing();
    return slot;
  }
  const auto picked = pick_ == Pick::newest ? std::prev(parked_.end()) : parked_.begin();
  auto slot = std::move(*picked);
  parked_.erase(picked);
  // Usually the end of this execution is early enough (refill); commands that run long must not empty the
  // pool.
  if (parked_.size() < wanted_ / 2) park_missing();
  return slot;
}

Result<Slot> SpawnerSlots::take_cold() {
  const std::scoped_lock lock(mutex_);
  PRX_CHECK(renew_plan());
  return fork_slot(SlotKind::cold);
}

void SpawnerSlots::refill() {
  const std::scoped_lock lock(mutex_);
  if (control_.is_open()) park_missing();
}

void SpawnerSlots::kill(std::uint32_t slot) {
  const std::scoped_lock lock(mutex_);
  if (control_.is_open()) (void)send_message(control_, {SpawnerMessage::Kind::kill_slot, slot}, {});
}

void SpawnerSlots::clean_up_after(std::uint32_t) {}

}  // namespace prx::core
