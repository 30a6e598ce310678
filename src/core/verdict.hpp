#pragma once

#include <prx/output.hpp>
#include <prx/result.hpp>

#include "core/request_plan.hpp"
#include "protocol/trailer.hpp"

namespace prx::core {

/// The Error of a command that never ran, from the step that failed in the slot. Pure.
[[nodiscard]] Error setup_error(const protocol::Trailer& trailer, const RequestPlan& plan);

/// How the command ended, from a trailer whose cause is not setup_failed. Pure.
[[nodiscard]] Ending ending_of(const protocol::Trailer& trailer, const RequestPlan& plan);

/// Fills in what the trailer knows: ending, exit code, usage, timings of the slot, leftovers, warnings about
/// them.
void apply_trailer(const protocol::Trailer& trailer, const RequestPlan& plan, ExecutionOutput& output);

}  // namespace prx::core
