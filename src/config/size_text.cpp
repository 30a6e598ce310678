#include "config/size_text.hpp"

#include <charconv>
#include <limits>

namespace prx::config {

namespace {

constexpr std::string_view kUnits = "bkmgt";

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The power of 1024 of a unit: "", "b", "m", "mb", "mib".
std::optional<unsigned> unit_power(std::string_view unit) noexcept {
  if (unit.empty()) return 0U;
  const auto power = kUnits.find(lower(unit.front()));
  if (power == std::string_view::npos) return std::nullopt;
  unit.remove_prefix(1);
  if (power > 0 && unit.size() == 2 && lower(unit.front()) == 'i') unit.remove_prefix(1);
  if (power > 0 && unit.size() == 1 && lower(unit.front()) == 'b') unit.remove_prefix(1);
  if (!unit.empty()) return std::nullopt;
  return static_cast<unsigned>(power);
}

}  // namespace

std::optional<Bytes> parse_size(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const auto power = unit_power(text.substr(static_cast<std::size_t>(rest - text.data())));
  if (!power) return std::nullopt;
  const unsigned shift = *power * 10U;
  if (number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return Bytes{number << shift};
}

std::string format_size(Bytes size) {
  std::uint64_t number = size.value;
  std::size_t power = 0;
  while (number != 0 && number % 1024 == 0 && power + 1 < kUnits.size()) {
    number /= 1024;
    ++power;
  }
  std::string text = std::to_string(number);
  if (power > 0) text += kUnits[power];
  return text;
}

}  // namespace prx::config
