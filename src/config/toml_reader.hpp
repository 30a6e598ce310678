#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "config/value.hpp"

namespace prx::config {

struct SyntaxError {
  Position at;
  std::string text;
};

/// Reads a TOML document. Safe with any bytes: bounded in time by the size of the text, and in stack by
/// kMaxKeyParts and kMaxNesting.
[[nodiscard]] std::variant<Table, SyntaxError> read_toml(std::string_view text);

/// Reads one TOML value, e.g. `["a", "b"]`. Empty where the text is not exactly one.
[[nodiscard]] std::optional<Value> read_toml_value(std::string_view text);

}  // namespace prx::config
