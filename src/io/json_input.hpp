#pragma once

#include <cstddef>
#include <string_view>

#include <prx/result.hpp>

#include "io/json_value.hpp"

namespace prx::io {

/// How much of JSON from somebody who is not trusted is read.
struct JsonLimits {
  std::size_t bytes = 1U << 20U;
  std::size_t depth = 32;
  std::size_t values = 20'000;
  std::size_t key_bytes = 1024;
};

/// Reads JSON that a model wrote: exactly one value, in UTF-8, no key twice in an object, within the limits.
class JsonInput {
 public:
  /// Error kind invalid_request, step and subject as given; the detail says what is wrong and where.
  [[nodiscard]] static Result<JsonValue> parse(std::string_view text, std::string_view step,
                                               std::string_view subject, const JsonLimits& limits = {});
};

}  // namespace prx::io
