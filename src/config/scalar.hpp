#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/enums.hpp"
#include "config/key.hpp"

namespace prx::config {

/// A scalar of `in`, or of one of its items: `key` and `value` say which. Each returns the checked value,
/// or tells the layer what is wrong.
struct Item {
  const Input& in;
  std::string_view key;
  const Value& value;
};

[[nodiscard]] std::optional<std::int64_t> whole_number(const Item& item);
[[nodiscard]] std::optional<double> cpus(const Item& item);
[[nodiscard]] std::optional<std::uint64_t> bytes(const Item& item);
[[nodiscard]] std::optional<std::string> text(const Item& item);
[[nodiscard]] std::optional<std::string_view> word(const Item& item);

/// Tells the layer that the type is not what the rule wants.
void refuse_type(const Item& item);
/// The same where a list is wanted: a string alone is shown how to become one.
void refuse_no_list(const Input& in);
/// Checks a name that the user chose: of a tool, a variable, a group.
[[nodiscard]] bool is_good_name(const Input& in, const Entry& entry);

template <class Enum>
[[nodiscard]] std::optional<Enum> choice(const Item& item) {
  const auto chosen = word(item);
  return chosen ? from_word<Enum>(*chosen) : std::nullopt;
}

}  // namespace prx::config
