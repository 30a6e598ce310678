#pragma once

#include <memory>
#include <mutex>

#include "backends/wasm/code_cache.hpp"
#include "backends/wasm/module_file.hpp"
#include "core/planned_slot.hpp"
#include "core/slot_source.hpp"
#include "core/spawner_slots.hpp"

namespace prx::backends {

/// What the slots of one module are made of.
struct ModulePlan {
  base::Fd worker;
  ModuleFile module;
  std::string setup;  ///< protocol::WasmSetup, encoded
  core::PlanSource plan;
  std::uint32_t parked = 0;
  CodeCache::Folders cache;
  std::string engine;  ///< what code depends on, beside module and processor
};

/// Slots that run one module: forks of a worker that has its code loaded. The module is compiled when the
/// first slot is wanted; whoever comes meanwhile waits along.
class ModuleSlots final : public core::SlotSource {
 public:
  explicit ModuleSlots(std::shared_ptr<const ModulePlan> plan) : plan_(std::move(plan)) {}

  Result<core::Slot> take() override;
  Result<core::Slot> take_cold() override;
  void refill() override;
  void kill(std::uint32_t slot) override;
  void clean_up_after(std::uint32_t slot) override;

 private:
  [[nodiscard]] Result<core::SpawnerSlots*> slots();
  [[nodiscard]] core::SpawnerSlots* slots_if_made();

  const std::shared_ptr<const ModulePlan> plan_;
  std::mutex mutex_;
  base::Fd code_;   // guarded by mutex_ until slots_ is made
  base::Fd setup_;  // the same
  std::unique_ptr<core::SpawnerSlots> slots_;
};

}  // namespace prx::backends
