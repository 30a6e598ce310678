#pragma once

#include <memory>

#include <prx/runtime.hpp>
#include <prx/runtimes.hpp>

#include "core/plan_source.hpp"
#include "core/settings.hpp"

namespace prx::backends {

/// Commands as processes of this machine, each under a prx-init of its own, confined as `plan` says
/// (empty: not at all). `pool` slots are kept parked.
[[nodiscard]] std::unique_ptr<RuntimeAdapter> make_native_runtime(core::Settings settings,
                                                                  const core::PlanSource& plan,
                                                                  std::uint32_t pool, HostKind host);

}  // namespace prx::backends
