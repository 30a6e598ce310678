#pragma once

#include "protocol/slot_plan.hpp"

namespace prx::init {

/// Installs the plan's filter on the calling process and what it starts. `listener` is where its denials are
/// told, or -1: the plan wants none, or the kernel gives none (another filter of an outer sandbox has it).
/// Returns 0 or -errno.
[[nodiscard]] long install_filter(const protocol::SlotPlan& plan, int& listener);

}  // namespace prx::init
