#pragma once

#include <span>
#include <string>

#include <prx/tools.hpp>

namespace prx::tools {

/// A JSON array of tools, as the API of that name takes them.
[[nodiscard]] std::string schema_text(std::span<const ToolInfo> tools, SchemaFormat format);

}  // namespace prx::tools
