#pragma once

#include <string>

#include <prx/config.hpp>

#include "tools/tool.hpp"

namespace prx::tools {

/// A tool of [tools.custom.<name>]. `is_module`: a tool without a type that is a module by its name. Errors:
/// invalid_request, step "tool", subject the key: a name no model's API takes, no schema of an object, an
/// argument that is no parameter.
[[nodiscard]] Result<Tool> make_custom_tool(const std::string& name, const CustomToolConfig& config,
                                            bool is_module);

}  // namespace prx::tools
