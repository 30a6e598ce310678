#pragma once

#include "tools/tool.hpp"

namespace prx::tools {

inline constexpr std::string_view kShellTool = "shell";

/// The built-in tool `shell`: a line for the configured shell.
[[nodiscard]] Result<Tool> make_shell_tool();

}  // namespace prx::tools
