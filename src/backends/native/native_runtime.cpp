#include "backends/native/native_runtime.hpp"

#include <algorithm>
#include <utility>

#include "core/one_shot_slots.hpp"
#include "core/slot_runtime.hpp"
#include "core/spawner_slots.hpp"

namespace prx::backends {
namespace {

using MakeSlots = core::SlotRuntime::MakeSlots;

MakeSlots make_slots(const NativeConfinement& confinement, std::uint32_t pool, HostKind host) {
  if (host == HostKind::library || confinement.needs_spawner) {
    // One is always kept ready: forking it while the host is busy is what makes a cold start cheap.
    const auto parked = host == HostKind::library ? std::max<std::uint32_t>(pool, 1) : 0;
    return [confinement, parked] { return std::make_unique<core::SpawnerSlots>(parked, confinement.plan); };
  }
  return [plan = confinement.plan] { return std::make_unique<core::OneShotSlots>(plan); };
}

/// A real slot, taken and thrown away.
Availability probe(const MakeSlots& make) {
  auto slot = make()->take_cold();
  if (slot) return {true, {}, {}};
  return {false, slot.error().message(), slot.error().hint};
}

}  // namespace

std::unique_ptr<RuntimeAdapter> make_native_runtime(core::Settings settings,
                                                    const NativeConfinement& confinement, std::uint32_t pool,
                                                    HostKind host) {
  auto make = make_slots(confinement, pool, host);
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): it does not see std::function free what it holds
  auto probe_slots = [make = make_slots(confinement, 0, host)] { return probe(make); };
  return std::make_unique<core::SlotRuntime>(std::move(settings), std::move(make), std::move(probe_slots));
}

}  // namespace prx::backends
