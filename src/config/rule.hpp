#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace prx::config {

/// What is wrong with a text ("is empty"), or nullptr.
using TextCheck = const char* (*)(std::string_view) noexcept;

enum class Unit : std::uint8_t { none, seconds, mebibytes, bytes, size_text };

/// What a key takes, as data: the reader, the error messages and the reference all come from it.
struct Rule {
  std::string_view type;                         ///< for people: "a list of absolute paths"
  Unit unit = Unit::none;                        ///< of a number
  std::int64_t least = 0;                        ///< of a number
  std::int64_t most = 0;                         ///< of a number
  std::span<const std::string_view> words = {};  ///< of a choice
  TextCheck check = nullptr;                     ///< of a string, or of each string in a list or table
  TextCheck name_check = nullptr;                ///< of each name in a table
  bool expands_home = false;                     ///< `~/` at the start means $HOME
};

/// "a whole number of seconds, 0 to 1000000000"
[[nodiscard]] std::string describe_rule(const Rule& rule);
/// The same of one item of a list or table.
[[nodiscard]] std::string describe_item(const Rule& rule);

inline constexpr std::int64_t kMaxSeconds = 1'000'000'000;  // 31 years; as nanoseconds it fits in 63 bits
inline constexpr std::int64_t kMaxMebibytes = 1LL << 30U;
inline constexpr std::int64_t kMaxBytes = kMaxMebibytes << 20U;

namespace rules {

constexpr Rule boolean() {
  return {.type = "true or false"};
}
constexpr Rule count(std::int64_t least, std::int64_t most) {
  return {.type = "a whole number", .least = least, .most = most};
}
constexpr Rule seconds() {
  return {.type = "a whole number of seconds", .unit = Unit::seconds, .least = 0, .most = kMaxSeconds};
}
constexpr Rule mebibytes(std::int64_t least, std::int64_t most = kMaxMebibytes) {
  return {.type = "a whole number of MiB", .unit = Unit::mebibytes, .least = least, .most = most};
}
/// Bytes, as a number or a size such as "1m".
constexpr Rule bytes(std::int64_t least, std::int64_t most = kMaxBytes) {
  return {.type = "a number of bytes or a size such as \"1m\"",
          .unit = Unit::bytes,
          .least = least,
          .most = most};
}
/// The same, written as a size.
constexpr Rule size(std::int64_t least, std::int64_t most = kMaxBytes) {
  return {.type = "a size such as \"256m\"", .unit = Unit::size_text, .least = least, .most = most};
}
constexpr Rule choice(std::span<const std::string_view> words) {
  return {.type = "one of", .words = words};
}
constexpr Rule text(std::string_view type, TextCheck check = nullptr) {
  return {.type = type, .check = check};
}
constexpr Rule path(std::string_view type, TextCheck check) {
  return {.type = type, .check = check, .expands_home = true};
}
constexpr Rule table(std::string_view type, TextCheck name_check, TextCheck check = nullptr) {
  return {.type = type, .check = check, .name_check = name_check};
}
constexpr Rule table_of_seconds(std::string_view type, TextCheck name_check) {
  return {.type = type, .unit = Unit::seconds, .most = kMaxSeconds, .name_check = name_check};
}
constexpr Rule table_of_choices(std::string_view type, TextCheck name_check,
                                std::span<const std::string_view> words) {
  return {.type = type, .words = words, .name_check = name_check};
}

}  // namespace rules

}  // namespace prx::config
