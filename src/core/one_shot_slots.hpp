#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "core/planned_slot.hpp"
#include "core/slot_source.hpp"
#include "os/stop_guard.hpp"

namespace prx::core {

/// Slots that are children of this process itself: for a process that runs a command or two and ends, a
/// spawner would only cost time. Makes the process a subreaper and takes every child of it for its own.
class OneShotSlots final : public SlotSource {
 public:
  /// `plan`: of slots that leave nothing behind which would have to be removed.
  explicit OneShotSlots(PlanSource plan);
  /// Reaps every prx-init: each has ended or has nothing left to do.
  ~OneShotSlots() override;
  OneShotSlots(const OneShotSlots&) = delete;
  OneShotSlots& operator=(const OneShotSlots&) = delete;

  Result<Slot> take() override { return take_cold(); }
  Result<Slot> take_cold() override;
  void refill() override {}  // nothing is parked
  void kill(std::uint32_t slot) override;
  void clean_up_after(std::uint32_t slot) override;

 private:
  const PlanSource plan_;
  std::mutex mutex_;
  std::uint32_t next_slot_ = 1;
  struct Init {
    base::Fd pidfd;
    std::optional<os::StopGuard> stop_guard{};  // after the pidfd: gone before it
  };
  std::map<std::uint32_t, Init> inits_;
};

}  // namespace prx::core
