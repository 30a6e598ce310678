#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace prx::base {

/// Whether all of `bytes` is UTF-8 (no surrogates, no overlong forms, nothing above U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view bytes) noexcept;

/// How many bytes at the end of `bytes` are the beginning of a character whose rest is missing (0-3).
[[nodiscard]] std::size_t incomplete_suffix(std::string_view bytes) noexcept;

/// How many bytes at the start of `bytes` are the rest of a character whose beginning is missing (0-3).
[[nodiscard]] std::size_t continuation_prefix(std::string_view bytes) noexcept;

/// `bytes` with each maximal invalid part replaced by U+FFFD.
[[nodiscard]] std::string to_utf8_lossy(std::string_view bytes);

}  // namespace prx::base
