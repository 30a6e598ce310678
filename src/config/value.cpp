#include "config/value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.hpp"
#include "base/utf8.hpp"

namespace prx::config {

namespace {

constexpr std::size_t kMessageBytes = 80;

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7F;
}

}  // namespace

std::string_view type_name(const Value& value) noexcept {
  return std::visit(base::Overloaded{
                        [](bool) { return "true or false"; },
                        [](std::int64_t) { return "a whole number"; },
                        [](double) { return "a number with a fraction"; },
                        [](const std::string&) { return "a string"; },
                        [](Moment) { return "a date or time"; },
                        [](const List&) { return "a list"; },
                        [](const Table&) { return "a table"; },
                    },
                    value.data);
}

std::string in_words(const Value& value) {
  return std::visit(base::Overloaded{
                        [](bool yes) { return std::string(yes ? "true" : "false"); },
                        [](std::int64_t number) { return fmt::format("the whole number {}", number); },
                        [](double number) { return fmt::format("the fraction {}", number); },
                        [](const std::string& text) { return "the string " + quoted(text); },
                        [&](const auto&) { return std::string(type_name(value)); },
                    },
                    value.data);
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (is_control(static_cast<unsigned char>(c))) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string quoted(std::string_view text) {
  if (text.size() <= kMessageBytes) return toml_string(base::to_utf8_lossy(text));
  text = text.substr(0, kMessageBytes);
  text.remove_suffix(base::incomplete_suffix(text));
  return toml_string(base::to_utf8_lossy(text)) + "…";
}

std::string key_part(std::string_view name) {
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_bare)) return std::string(name);
  return toml_string(name);
}

std::string join_key(std::string_view table, std::string_view name) {
  if (table.empty()) return key_part(name);
  return fmt::format("{}.{}", table, key_part(name));
}

}  // namespace prx::config
