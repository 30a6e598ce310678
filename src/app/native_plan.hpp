#pragma once

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "core/settings.hpp"
#include "sandbox/sandbox.hpp"

namespace prx::app {

/// What native commands run with: create_runtime() makes its runtime of this, and `explain` and `why` answer
/// from it.
struct NativePlan {
  core::Settings settings;
  sandbox::Sandbox sandbox;
};

/// Starts nothing. Errors: those of create_runtime().
[[nodiscard]] Result<NativePlan> plan_native(const Config& config);

}  // namespace prx::app
