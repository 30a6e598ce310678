#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace prx::config {

/// A place in a text, 1-based; line 0 where there is none.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Value;
struct Entry;

/// A date or a time. No key of ours takes one, so nothing of it is kept.
struct Moment {};
using List = std::vector<Value>;
struct Table {
  std::vector<Entry> entries;
};

/// What TOML can say, free of the library that read it.
struct Value {
  std::variant<bool, std::int64_t, double, std::string, Moment, List, Table> data;
  Position at;
  /// The text as it was given, for a value of a variable or an option: a key that wants a string takes
  /// `7` as "7" from there, since nobody quotes in a shell what needs no quotes.
  std::optional<std::string> given;
};

struct Entry {
  std::string key;
  Position at;
  Value value;
};

/// "a string", "a whole number", … for messages.
[[nodiscard]] std::string_view type_name(const Value& value) noexcept;

/// The value for a message: a short scalar in full, anything else by its type. Never a control character.
[[nodiscard]] std::string in_words(const Value& value);

/// `text` as a TOML basic string, with quotes.
[[nodiscard]] std::string toml_string(std::string_view text);

/// The same, cut to what a line of a message can bear.
[[nodiscard]] std::string quoted(std::string_view text);

/// One part of a dotted key, quoted where TOML needs it.
[[nodiscard]] std::string key_part(std::string_view name);
[[nodiscard]] std::string join_key(std::string_view table, std::string_view name);

}  // namespace prx::config
