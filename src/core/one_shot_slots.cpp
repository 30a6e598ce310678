#include "core/one_shot_slots.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <utility>

#include "base/try.hpp"
#include "core/init_program.hpp"
#include "os/pipe.hpp"
#include "os/process_tree.hpp"

namespace prx::core {
namespace {
constexpr std::chrono::nanoseconds kOrphanBound = std::chrono::seconds(2);

void send_kill(const base::Fd& pidfd) {
  ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
}

}  // namespace

OneShotSlots::OneShotSlots(PlanSource plan) : plan_(std::move(plan)) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

OneShotSlots::~OneShotSlots() {
  for (const auto& [id, init] : inits_) {
    send_kill(init.pidfd);
    os::reap(init.pidfd);
  }
}

Result<Slot> OneShotSlots::take_cold() {
  PRX_TRY(auto sockets, os::open_socket_pair(SOCK_STREAM));
  PRX_TRY(const auto own_pidfd, os::open_own_pidfd());
  PRX_TRY(auto planned, plan_());
  PRX_TRY(const auto plan, open_plan(*planned));
  PRX_TRY(auto launched,
          launch_init("slot",
                      {.stream = sockets.second.get(), .host_pidfd = own_pidfd.get(), .plan = plan.get()}));
  const std::scoped_lock lock(mutex_);
  const auto id = next_slot_++;
  auto& init = inits_[id];
  init.pidfd = std::move(launched.pidfd);
  // A command may stop its own init. A spawner wakes it; here we are its parent.
  init.stop_guard.emplace(init.pidfd.get());
  return Slot{id, SlotKind::cold, std::move(sockets.first), SlotStreams::descriptors, std::move(planned)};
}

void OneShotSlots::kill(std::uint32_t slot) {
  const std::scoped_lock lock(mutex_);
  const auto found = inits_.find(slot);
  if (found != inits_.end()) send_kill(found->second.pidfd);
}

void OneShotSlots::clean_up_after(std::uint32_t) {
  (void)os::end_descendants(static_cast<std::uint64_t>(kOrphanBound.count()));
}

}  // namespace prx::core
