#include "backends/native/native_runtime.hpp"

#include <algorithm>
#include <utility>

#include "backends/native/native_settings.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"
#include "core/one_shot_slots.hpp"
#include "core/slot_runtime.hpp"
#include "core/spawner_slots.hpp"

namespace prx::backends {
namespace {

std::unique_ptr<core::SlotSource> make_slots(HostKind host, std::uint32_t pool) {
  if (host == HostKind::one_shot) return std::make_unique<core::OneShotSlots>();
  // One is always kept ready: forking it while the host is busy is what makes a cold start cheap.
  return std::make_unique<core::SpawnerSlots>(std::max<std::uint32_t>(pool, 1));
}

/// A real slot, taken and thrown away.
Availability probe(HostKind host) {
  auto slots = make_slots(host, 0);
  auto slot = slots->take_cold();
  if (slot) return {true, {}, {}};
  return {false, slot.error().message(), slot.error().hint};
}

}  // namespace

Result<std::unique_ptr<RuntimeAdapter>> make_native_runtime(const Config& config, HostKind host) {
  PRX_TRY(auto settings, make_native_settings(config, core::process_environment()));
  const auto pool = config.runtime.native.pool;
  return std::unique_ptr<RuntimeAdapter>(std::make_unique<core::SlotRuntime>(
      std::move(settings), [host, pool] { return make_slots(host, pool); }, [host] { return probe(host); }));
}

}  // namespace prx::backends
