#pragma once

#include <string_view>

#include "protocol/slot_plan.hpp"

namespace prx::init {

/// The plan's Landlock rules as a ruleset, to be entered later; -1 where the plan has none. `folder` is what
/// protocol::kSlotFolder stands for. Returns 0, or
/// -errno with the path it is about.
[[nodiscard]] long make_ruleset(const protocol::SlotPlan& plan, std::string_view folder, int& ruleset, std::string_view& subject);

}  // namespace prx::init
