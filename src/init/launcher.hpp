#pragma once

#include "init/cell.hpp"

namespace prx::init {

/// Where a launched prx-init finds its own program: beside the descriptors of init/sys.hpp.
inline constexpr int kImageFd = 7;

/// Becomes the plan's launcher, which starts prx-init again, as a slot, inside of what it makes. Returns only
/// where that fails.
[[nodiscard]] ConfineResult launch(const Cell& cell, int stream);

/// The launched one: the plan and the host are behind the descriptors that launch() has passed on.
int run_launched_slot();

}  // namespace prx::init
