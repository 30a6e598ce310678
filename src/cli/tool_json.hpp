#pragma once

#include <prx/tools.hpp>

#include "io/json.hpp"

namespace prx::cli {

[[nodiscard]] io::Json tool_json(const ToolInfo& tool);
[[nodiscard]] io::Json result_json(const ToolResult& result);

}  // namespace prx::cli
