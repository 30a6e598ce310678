#include "backends/wasm/module_slots.hpp"

#include "backends/wasm/compiled_code.hpp"
#include "base/try.hpp"
#include "os/memory_file.hpp"
#include "protocol/wasm_setup.hpp"

namespace prx::backends {

Result<core::SpawnerSlots*> ModuleSlots::slots() {
  const std::scoped_lock lock(mutex_);
  if (slots_) return slots_.get();
  PRX_TRY(auto compiled, find_or_compile({plan_->worker, plan_->module, plan_->engine, plan_->cache}));
  code_ = std::move(compiled.code);
  PRX_TRY(setup_, os::open_memory_file("prx-wasm-setup", plan_->setup));
  auto launch = [this](const char* role, const core::InitDescriptors& descriptors) {
    os::LaunchPlan plan{plan_->worker.get(), "prx-wasm", role};
    static_assert(protocol::kWasmSetupFd == 9 && protocol::kWasmCodeFd == 10);
    const auto& groups = descriptors.groups;
    plan.descriptors = {descriptors.stream, descriptors.host_pidfd, descriptors.plan, groups[0], groups[1],
                        groups[2],          setup_.get(),           code_.get()};
    return os::launch(plan);
  };
  slots_ = std::make_unique<core::SpawnerSlots>(plan_->parked, plan_->plan, std::move(launch),
                                                core::SpawnerSlots::Pick::oldest);
  return slots_.get();
}

core::SpawnerSlots* ModuleSlots::slots_if_made() {
  const std::scoped_lock lock(mutex_);
  return slots_.get();
}

Result<core::Slot> ModuleSlots::take() {
  PRX_TRY(auto* const made, slots());
  return made->take();
}

Result<core::Slot> ModuleSlots::take_cold() {
  PRX_TRY(auto* const made, slots());
  return made->take_cold();
}

void ModuleSlots::refill() {
  if (auto* made = slots_if_made()) made->refill();
}

void ModuleSlots::kill(std::uint32_t slot) {
  if (auto* made = slots_if_made()) made->kill(slot);
}

void ModuleSlots::clean_up_after(std::uint32_t slot) {
  if (auto* made = slots_if_made()) made->clean_up_after(slot);
}

}  // namespace prx::backends
