#pragma once

#include <prx/tools.hpp>

namespace prx::tools {

/// What is kept of each stream for a model.
inline constexpr std::size_t kMaxShown = 32U << 10U;

/// What a model reads of an execution.
[[nodiscard]] ToolResult result_of(ExecutionOutput output);
/// What a model reads of a call that ran nothing.
[[nodiscard]] ToolResult result_of(Error error);

}  // namespace prx::tools
