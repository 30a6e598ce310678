#pragma once

#include <sys/types.h>

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "core/init_program.hpp"
#include "core/planned_slot.hpp"
#include "core/slot_source.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::core {

/// Slots forked by one spawner (see src/init/spawner.hpp), started on first use by `launch`. `parked` of them
/// are kept waiting; none: only one will be asked for. A spawner that died, or that was started for another
/// plan or under other user ids than the host has now, is replaced; running executions do not notice, since
/// their streams go straight to their own prx-init.
class SpawnerSlots final : public SlotSource {
 public:
  /// Which of the parked slots is taken first: the newest, whose memory is still in the caches, or, where
  /// making one takes longer than a command does, the oldest, which is ready.
  enum class Pick : std::uint8_t { newest, oldest };

  SpawnerSlots(std::uint32_t parked, PlanSource plan, LaunchSlots launch = launch_init,
               Pick pick = Pick::newest);
  ~SpawnerSlots() override;
  SpawnerSlots(const SpawnerSlots&) = delete;
  SpawnerSlots& operator=(const SpawnerSlots&) = delete;

  Result<Slot> take() override;
  Result<Slot> take_cold() override;
  void refill() override;
  void kill(std::uint32_t slot) override;
  /// The spawner does it: orphans of a killed slot become its children.
  void clean_up_after(std::uint32_t slot) override;

 private:
  struct Identity {
    uid_t uid, euid;
    gid_t gid, egid;
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  static Identity current_identity();

  Result<void> renew_plan();
  Result<void> ensure_spawner();
  void leave_spawner();
  Result<Slot> fork_slot(SlotKind kind);
  void park_missing();

  Result<void> open_groups();

  const std::uint32_t wanted_;
  const PlanSource plan_source_;
  const LaunchSlots launch_;
  const Pick pick_;
  std::mutex mutex_;
  std::shared_ptr<const PlannedSlot> planned_;  // of the spawner and its parked slots
  base::Fd control_;
  std::array<base::Fd, protocol::kHierarchies> groups_;  // where the spawner makes them
  Identity identity_{};
  std::uint32_t next_slot_ = 1;
  std::deque<Slot> parked_;
};

}  // namespace prx::core
