#pragma once

#include <string_view>

#include "protocol/slot_request.hpp"

namespace prx::init {

struct Unexpected {
  int error = 0;  ///< ESTALE: another file
  std::string_view path;
};

/// Looks at each path, the last link not followed, and stops at the first that is not the expected file.
[[nodiscard]] Unexpected find_unexpected(const protocol::ExpectedFiles& expected);

}  // namespace prx::init
