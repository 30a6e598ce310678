#include "cli/quantity.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace prx::cli {
namespace {

struct Quantity {
  double number = 0;
  std::string unit;
};

std::optional<Quantity> try_quantity(std::string_view text) {
  Quantity quantity;
  const char* end = text.data() + text.size();
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0) return std::nullopt;
  const auto [rest, failed] = std::from_chars(text.data(), end, quantity.number, std::chars_format::fixed);
  if (failed != std::errc{}) return std::nullopt;
  quantity.unit.assign(rest, end);
  std::transform(quantity.unit.begin(), quantity.unit.end(), quantity.unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return quantity;
}

constexpr double kMaxMilliseconds = 1e13;  // three centuries: far from any overflow
constexpr double kMaxBytes = 9e15;         // exact in a double

constexpr std::array<std::pair<std::string_view, double>, 4> kTimeUnits{
    {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}}};
constexpr std::array<std::pair<std::string_view, double>, 11> kSizeUnits{{
    {"", 1},
    {"b", 1},
    {"k", 1024},
    {"kb", 1024},
    {"kib", 1024},
    {"m", 1048576},
    {"mb", 1048576},
    {"mib", 1048576},
    {"g", 1073741824},
    {"gb", 1073741824},
    {"gib", 1073741824},
}};

}  // namespace

std::optional<std::chrono::milliseconds> try_duration(std::string_view text) {
  if (text == "0") return std::chrono::milliseconds(0);
  const auto quantity = try_quantity(text);
  if (!quantity) return std::nullopt;
  for (const auto& [unit, factor] : kTimeUnits) {
    if (unit != quantity->unit) continue;
    const double milliseconds = quantity->number * factor;
    if (milliseconds > kMaxMilliseconds) return std::nullopt;
    // What is more than nothing stays so: zero would mean no limit.
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(milliseconds)));
  }
  return std::nullopt;
}

std::optional<Bytes> try_size(std::string_view text) {
  const auto quantity = try_quantity(text);
  if (!quantity) return std::nullopt;
  for (const auto& [unit, factor] : kSizeUnits) {
    if (unit != quantity->unit) continue;
    const double bytes = quantity->number * factor;
    if (bytes > kMaxBytes) return std::nullopt;
    return Bytes{static_cast<std::uint64_t>(bytes)};
  }
  return std::nullopt;
}

std::string duration_text(std::chrono::microseconds duration) {
  const auto us = duration.count();
  if (us < 1000) return fmt::format("{} us", us);
  if (us < 1'000'000) return fmt::format("{:.3g} ms", static_cast<double>(us) / 1e3);
  return fmt::format("{:g} s", std::round(static_cast<double>(us) / 1e4) / 100);
}

std::string size_text(Bytes size) {
  constexpr std::array<std::pair<unsigned, std::string_view>, 3> kUnits{
      {{30U, "GiB"}, {20U, "MiB"}, {10U, "KiB"}}};
  for (const auto& [shift, unit] : kUnits) {
    const std::uint64_t one = 1ULL << shift;
    if (size.value >= one && size.value % one == 0) return fmt::format("{} {}", size.value / one, unit);
  }
  return fmt::format("{} bytes", size.value);
}

}  // namespace prx::cli
