#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace prx::init {

/// The number that stands after `key` in a text of the kernel's ("oom_kill 1", "RssAnon:\t 12 kB"), where
/// `key` begins a line; 0 where it does not stand there. An empty key: the number at the beginning.
inline std::uint64_t number_after(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != '\n') ++end;
    if (std::string_view(text.data(), end).starts_with(key)) {
      std::size_t at = key.size();
      while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == ':')) ++at;
      std::uint64_t value = 0;
      for (; at < end && text[at] >= '0' && text[at] <= '9'; ++at) {
        value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
      }
      return value;
    }
    text.remove_prefix(end < text.size() ? end + 1 : end);
  }
  return 0;
}

}  // namespace prx::init
