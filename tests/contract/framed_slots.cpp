#include "contract/framed_slots.hpp"

#include <algorithm>

#include "backends/native/native_settings.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"
#include "core/slot_runtime.hpp"
#include "core/spawner_slots.hpp"
#include "sandbox/sandbox.hpp"

namespace prx::test {

Result<std::unique_ptr<RuntimeAdapter>> make_native_framed(const Config& config) {
  PRX_TRY(auto settings, backends::make_native_settings(config, core::process_environment()));
  auto unconfined = config;
  unconfined.security.sandbox.backend = SandboxChoice::none;
  PRX_TRY(auto sandbox, sandbox::make_sandbox(unconfined, settings.base_env));
  settings.sandbox = sandbox.kind;
  const auto parked = std::max<std::uint32_t>(config.runtime.native.pool, 1);
  return std::unique_ptr<RuntimeAdapter>(std::make_unique<core::SlotRuntime>(
      std::move(settings),
      [parked, sandbox] {
        return std::make_unique<FramedSlots>(std::make_unique<core::SpawnerSlots>(parked, sandbox.plan));
      },
      [] { return Availability{true, {}, {}}; }));
}

}  // namespace prx::test
