#pragma once

#include <prx/config.hpp>
#include <prx/result.hpp>

namespace prx::backends {

/// Refuses each rule of [security] that was asked for and that native commands cannot be held to: a rule that
/// is passed over in silence is worse than none. Defaults are no such wish. Limits are not its matter
/// (sandbox/limits.hpp).
[[nodiscard]] Result<void> check_enforceable(const Config& config);

}  // namespace prx::backends
