#pragma once

#include <string_view>

#include "init/identity.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::init {

/// Builds the plan's tree on an empty tmpfs, makes it the root of the calling process's mount namespace, and
/// lets go of the host's. Returns 0, or -errno with the place that could not be made.
[[nodiscard]] long build_tree(const protocol::SlotPlan& plan, const Identity& identity,
                              std::string_view& subject);

}  // namespace prx::init
