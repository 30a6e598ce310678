#include "config/overrides.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "config/layer.hpp"
#include "config/reader.hpp"
#include "config/toml_guard.hpp"
#include "config/toml_reader.hpp"
#include "config/variable_name.hpp"

namespace prx::config {

namespace {

/// TOML where it is TOML, a string otherwise; the text itself is kept beside it.
Value value_of(std::string_view text) {
  Value value = read_toml_value(text).value_or(Value{std::string(text), {}, std::nullopt});
  value.given = std::string(text);
  return value;
}

/// A document that holds one key.
Table document_of(std::vector<std::string> key, Value value) {
  while (!key.empty()) {
    Table table;
    table.entries.push_back({std::move(key.back()), {}, std::move(value)});
    key.pop_back();
    value = {std::move(table), {}, std::nullopt};
  }
  return std::get<Table>(std::move(value.data));
}

/// Where the key of a setting ends: the first '=' that is not in quotes.
std::size_t find_equals(std::string_view setting) {
  char quote = 0;
  for (std::size_t i = 0; i < setting.size(); ++i) {
    const char c = setting[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '=') {
      return i;
    }
  }
  return std::string_view::npos;
}

/// The parts of a dotted key, read by the rules of TOML.
std::optional<std::vector<std::string>> parts_of(std::string_view key) {
  if (key.find_first_of("\r\n#") != std::string_view::npos) return std::nullopt;
  auto document = read_toml(std::string(key) + "=0");
  std::vector<std::string> parts;
  const auto* table = std::get_if<Table>(&document);
  while (table != nullptr) {
    if (table->entries.size() != 1) return std::nullopt;
    parts.push_back(table->entries.front().key);
    table = std::get_if<Table>(&table->entries.front().value.data);
  }
  return parts.empty() ? std::nullopt : std::optional(std::move(parts));
}

}  // namespace

void read_variables(const std::vector<std::string>& environment, std::string_view home,
                    std::vector<ConfigFinding>& findings, Config& config) {
  for (const std::string_view variable : environment) {
    if (!variable.starts_with("PRX_")) continue;
    const auto equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = variable.substr(0, equals);
    auto key = key_of_variable(name);
    if (!key) continue;
    Layer layer(ConfigLayer::environment, std::string(name), home, findings, config.origins);
    if (key->size() > kMaxKeyParts) {
      layer.refuse("", {}, "has too many parts");
      continue;
    }
    read_document(document_of(std::move(*key), value_of(variable.substr(equals + 1))), layer, config);
  }
}

void read_settings(const std::vector<std::string>& settings, std::string_view home,
                   std::vector<ConfigFinding>& findings, Config& config) {
  for (const std::string& setting : settings) {
    Layer layer(ConfigLayer::option, setting, home, findings, config.origins);
    const auto equals = find_equals(setting);
    if (equals == std::string_view::npos) {
      layer.refuse("", {}, "has no '='", "write key=value, for example runtime.backend=native");
      continue;
    }
    auto key = parts_of(std::string_view(setting).substr(0, equals));
    if (!key) {
      layer.refuse(
          "", {}, quoted(setting.substr(0, equals)) + " is not a dotted key",
          "for example runtime.backend; a part with other characters than letters, digits, '-' and '_' "
          "is quoted: runtime.tool_timeouts.\"my tool\"");
      continue;
    }
    read_document(document_of(std::move(*key), value_of(std::string_view(setting).substr(equals + 1))), layer,
                  config);
  }
}

}  // namespace prx::config
