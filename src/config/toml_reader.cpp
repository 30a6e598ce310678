#include "config/toml_reader.hpp"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32  // recursion of the parser; no key of ours needs more than 3
#include <toml++/toml.h>

#include <fmt/format.h>

#include <utility>

#include "config/toml_guard.hpp"

namespace prx::config {

namespace {

Position position_of(const toml::source_region& source) {
  return {source.begin.line, source.begin.column};
}

Value to_value(const toml::node& node);

List to_list(const toml::array& array) {
  List list;
  list.reserve(array.size());
  for (const toml::node& item : array) list.push_back(to_value(item));
  return list;
}

Table to_table(const toml::table& table) {
  Table result;
  result.entries.reserve(table.size());
  for (const auto& [key, node] : table) {
    result.entries.push_back({std::string(key.str()), position_of(key.source()), to_value(node)});
  }
  return result;
}

Value to_value(const toml::node& node) {
  Value value{Moment{}, position_of(node.source()), std::nullopt};
  if (const auto* yes = node.as_boolean()) value.data = yes->get();
  if (const auto* integer = node.as_integer()) value.data = integer->get();
  if (const auto* number = node.as_floating_point()) value.data = number->get();
  if (const auto* text = node.as_string()) value.data = text->get();
  if (const auto* array = node.as_array()) value.data = to_list(*array);
  if (const auto* table = node.as_table()) value.data = to_table(*table);
  return value;
}

}  // namespace

std::variant<Table, SyntaxError> read_toml(std::string_view text) {
  if (const auto at = find_overlong_key(text)) {
    return SyntaxError{*at, fmt::format("a key of more than {} parts", kMaxKeyParts)};
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return SyntaxError{position_of(error.source()), std::string(error.description())};
  }
  return to_table(parsed.table());
}

std::optional<Value> read_toml_value(std::string_view text) {
  // One line only: a line break would let a value smuggle in further keys.
  if (text.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
  auto document = read_toml(fmt::format("v={}", text));
  auto* table = std::get_if<Table>(&document);
  if (table == nullptr || table->entries.size() != 1) return std::nullopt;
  return std::move(table->entries.front().value);
}

}  // namespace prx::config
