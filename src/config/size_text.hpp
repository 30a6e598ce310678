#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <prx/units.hpp>

namespace prx::config {

/// What parse_size takes, for messages.
inline constexpr std::string_view kSizeUnits = "plain bytes, or a whole number followed by b, k, m, g or t";

/// "256m", "1g", "512k", "4096": units are powers of 1024, in either case, also as "MB" or "MiB". Empty for
/// anything else, also for a size over 64 bits.
[[nodiscard]] std::optional<Bytes> parse_size(std::string_view text) noexcept;

/// The shortest text that parse_size reads back as `size`.
[[nodiscard]] std::string format_size(Bytes size);

}  // namespace prx::config
