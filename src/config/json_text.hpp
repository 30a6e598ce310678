#pragma once

#include <string>
#include <variant>

#include "config/value.hpp"

namespace prx::config {

struct JsonProblem {
  Position at;
  std::string text;
};

/// A table as compact JSON. Dates, times, infinities and NaN have no JSON.
[[nodiscard]] std::variant<std::string, JsonProblem> to_json(const Table& table);

}  // namespace prx::config
