#include "base/printable.hpp"

#include "base/utf8.hpp"

namespace prx::base {
namespace {

void append_escaped(std::string& text, unsigned char code) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  switch (code) {
    case '\n':
      text += "\\n";
      return;
    case '\r':
      text += "\\r";
      return;
    case '\t':
      text += "\\t";
      return;
    default:
      text += "\\x";
      text += kDigits[code >> 4U];
      text += kDigits[code & 0xFU];
  }
}

constexpr bool is_control(unsigned char byte) {
  return byte < 0x20 || byte == 0x7F;
}

/// U+0080 to U+009F in UTF-8: a terminal may take them for the beginning of a sequence.
constexpr bool is_c1_control(unsigned char first, unsigned char second) {
  return first == 0xC2 && second < 0xA0;
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string valid = to_utf8_lossy(text);
  std::string shown;
  shown.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto byte = static_cast<unsigned char>(valid[i]);
    if (is_control(byte)) {
      append_escaped(shown, byte);
    } else if (i + 1 < valid.size() && is_c1_control(byte, static_cast<unsigned char>(valid[i + 1]))) {
      append_escaped(shown, static_cast<unsigned char>(valid[++i]));
    } else {
      shown += valid[i];
    }
  }
  return shown;
}

}  // namespace prx::base
