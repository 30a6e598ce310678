#include "base/utf8.hpp"

#include <cstdint>

namespace prx::base {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Length of the character that a lead byte announces, 0 for a byte that leads none.
constexpr std::size_t announced_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

/// The second byte is where surrogates, overlong forms and too large values show (Unicode table 3-7).
constexpr bool second_byte_fits(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return second >= 0x80 && second <= 0xBF;
  }
}

struct Sequence {
  std::size_t length = 0;  // bytes that belong together
  bool valid = false;
};

/// The character at the start of `bytes`, or the maximal part of one that is invalid or cut.
Sequence next_sequence(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  const auto wanted = announced_length(lead);
  if (wanted == 0) return {1, false};
  std::size_t length = 1;
  while (length < wanted && length < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[length]);
    const bool fits = length == 1 ? second_byte_fits(lead, byte) : is_continuation(bytes[length]);
    if (!fits) return {length, false};
    ++length;
  }
  return {length, length == wanted};
}

}  // namespace

bool is_utf8(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    if (static_cast<unsigned char>(bytes[0]) < 0x80) {
      bytes.remove_prefix(1);
      continue;
    }
    const auto sequence = next_sequence(bytes);
    if (!sequence.valid) return false;
    bytes.remove_prefix(sequence.length);
  }
  return true;
}

std::size_t incomplete_suffix(std::string_view bytes) noexcept {
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const char byte = bytes[bytes.size() - back];
    if (is_continuation(byte)) continue;
    const auto tail = bytes.substr(bytes.size() - back);
    const auto sequence = next_sequence(tail);
    const bool cut = !sequence.valid && sequence.length == back &&
                     announced_length(static_cast<unsigned char>(byte)) > back;
    return cut ? back : 0;
  }
  return 0;
}

std::size_t continuation_prefix(std::string_view bytes) noexcept {
  std::size_t count = 0;
  while (count < 3 && count < bytes.size() && is_continuation(bytes[count])) ++count;
  return count;
}

std::string to_utf8_lossy(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto sequence = next_sequence(bytes);
    text += sequence.valid ? bytes.substr(0, sequence.length) : kReplacement;
    bytes.remove_prefix(sequence.length);
  }
  return text;
}

}  // namespace prx::base
