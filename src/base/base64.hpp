#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace prx::base {

enum class Base64 : unsigned char { standard, url };  ///< with padding, both

[[nodiscard]] std::string encode_base64(std::string_view bytes, Base64 alphabet);
/// Nothing for a text that is not standard base64; padding may be missing.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace prx::base
