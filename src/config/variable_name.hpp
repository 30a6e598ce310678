#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prx::config {

/// runtime.native.shell → PRX_RUNTIME__NATIVE__SHELL
[[nodiscard]] std::string variable_name(std::string_view key);

/// PRX_RUNTIME__NATIVE__SHELL → runtime, native, shell. Keys are lower case; so are the names of tools and
/// servers, while names of variables stay as they are (PRX_RUNTIME__NATIVE__ENV__EDITOR). In a table of free
/// names the rest is the name, also with "__" in it. Empty for a variable that does not begin with one of
/// prx's tables: PRX_CONFIG and others are not keys.
[[nodiscard]] std::optional<std::vector<std::string>> key_of_variable(std::string_view name);

}  // namespace prx::config
