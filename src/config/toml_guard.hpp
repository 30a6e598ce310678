#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "config/value.hpp"

namespace prx::config {

/// The parts a dotted key may have.
inline constexpr std::size_t kMaxKeyParts = 32;

/// Where a key of more than kMaxKeyParts begins to be too long. The TOML library makes a table inside a
/// table for each part and frees them by recursion, so `a.a.a…` of a megabyte would end the process.
[[nodiscard]] std::optional<Position> find_overlong_key(std::string_view toml) noexcept;

}  // namespace prx::config
