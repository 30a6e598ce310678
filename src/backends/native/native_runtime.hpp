#pragma once

#include <memory>

#include <prx/runtime.hpp>
#include <prx/runtimes.hpp>

#include "core/planned_slot.hpp"
#include "core/settings.hpp"

namespace prx::backends {

/// How native slots are confined.
struct NativeConfinement {
  core::PlanSource plan;
  bool needs_spawner = false;  ///< also for one command: a slot leaves something to remove
};

/// Commands as processes of this machine, each under a prx-init of its own. `pool` slots are kept parked.
[[nodiscard]] std::unique_ptr<RuntimeAdapter> make_native_runtime(core::Settings settings,
                                                                  const NativeConfinement& confinement,
                                                                  std::uint32_t pool, HostKind host);

}  // namespace prx::backends
