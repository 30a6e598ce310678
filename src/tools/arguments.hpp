#pragma once

#include <string_view>

#include <prx/result.hpp>

#include "io/json_value.hpp"
#include "tools/tool.hpp"

namespace prx::tools {

/// The arguments of a call, checked, with defaults. Errors: invalid_request, step "arguments", subject the
/// tool or the place in the arguments, for a model: what is wrong, and what is taken.
[[nodiscard]] Result<io::JsonValue> read_arguments(const Tool& tool, std::string_view text);

}  // namespace prx::tools
