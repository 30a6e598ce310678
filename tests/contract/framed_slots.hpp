#pragma once

#include <memory>
#include <utility>

#include <prx/config.hpp>
#include <prx/result.hpp>
#include <prx/runtime.hpp>

#include "core/slot_source.hpp"

namespace prx::test {

/// Slots of this machine that are treated as if they were far away: everything goes through their stream, and
/// a descriptor that comes along is dropped.
class FramedSlots final : public core::SlotSource {
 public:
  explicit FramedSlots(std::unique_ptr<core::SlotSource> slots) : slots_(std::move(slots)) {}

  Result<core::Slot> take(const core::SlotWish& wish) override { return framed(slots_->take(wish)); }
  Result<core::Slot> take_cold() override { return framed(slots_->take_cold()); }
  void release(std::uint32_t slot) override { slots_->release(slot); }
  void kill(std::uint32_t slot) override { slots_->kill(slot); }
  void clean_up_after(std::uint32_t slot) override { slots_->clean_up_after(slot); }

 private:
  static Result<core::Slot> framed(Result<core::Slot> slot) {
    if (slot) slot->streams = core::SlotStreams::frames;
    return slot;
  }

  std::unique_ptr<core::SlotSource> slots_;
};

/// The native backend without sandbox, over such slots.
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> make_native_framed(const Config& config);

}  // namespace prx::test
