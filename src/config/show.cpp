#include "config/show.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/overloaded.hpp"
#include "config/size_text.hpp"

namespace prx::config {

namespace {

void append(const Shown& out, std::string text) {
  out.items.push_back({std::string(out.key), std::move(text), {}});
}

void append_entry(const Shown& out, std::string_view name, std::string text) {
  out.items.push_back({join_key(out.key, name), std::move(text), {}});
}

void append_word(const Shown& out, std::string_view word) {
  append(out, toml_string(word));
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ", ";
    list += toml_string(text);
  }
  return list + "]";
}

std::string toml_number(double value) {
  // A number without fraction stays one with a fraction in TOML.
  return value == std::floor(value) ? fmt::format("{:.1f}", value) : fmt::format("{}", value);
}

}  // namespace

void show(const Shown& out, bool value) {
  append(out, value ? "true" : "false");
}
void show(const Shown& out, std::uint32_t value) {
  append(out, fmt::format("{}", value));
}
void show(const Shown& out, double value) {
  append_word(out, toml_number(value));
}

void show(const Shown& out, const std::string& value) {
  const TextCheck check = out.info.rule.check;
  const bool means_unset = value.empty() && check != nullptr && check(value) != nullptr;
  if (!means_unset) append_word(out, value);
}

void show(const Shown& out, std::chrono::seconds value) {
  append(out, fmt::format("{}", value.count()));
}
void show(const Shown& out, std::optional<std::chrono::seconds> value) {
  if (value) show(out, *value);
}

void show(const Shown& out, Bytes value) {
  switch (out.info.rule.unit) {
    case Unit::mebibytes:
      return append(out, fmt::format("{}", value.value >> 20U));
    case Unit::size_text:
      return append_word(out, format_size(value));
    default:
      return append(out, fmt::format("{}", value.value));
  }
}

void show(const Shown& out, BackendChoice value) {
  append_word(out, to_string(value));
}
void show(const Shown& out, std::optional<BackendChoice> value) {
  if (value) show(out, *value);
}
void show(const Shown& out, SandboxChoice value) {
  append_word(out, to_string(value));
}
void show(const Shown& out, DockerNetwork value) {
  append_word(out, to_string(value));
}
void show(const Shown& out, WasmEngine value) {
  append_word(out, to_string(value));
}
void show(const Shown& out, ToolRule value) {
  append_word(out, to_string(value));
}
void show(const Shown& out, ToolInput value) {
  append_word(out, to_string(value));
}

void show(const Shown& out, const NetworkRule& value) {
  std::visit(base::Overloaded{
                 [&](bool yes) { show(out, yes); },
                 [&](const std::vector<std::string>& hosts) { show(out, hosts); },
             },
             value);
}

void show(const Shown& out, const std::vector<std::string>& value) {
  append(out, toml_list(value));
}

void show(const Shown& out, const std::vector<EnvVar>& value) {
  for (const EnvVar& variable : value) append_entry(out, variable.name, toml_string(variable.value));
}

void show(const Shown& out, const std::map<std::string, std::string>& value) {
  for (const auto& [name, text] : value) append_entry(out, name, toml_string(text));
}

void show(const Shown& out, const std::map<std::string, std::chrono::seconds>& value) {
  for (const auto& [name, time] : value) append_entry(out, name, fmt::format("{}", time.count()));
}

void show(const Shown& out, const std::map<std::string, ToolRule>& value) {
  for (const auto& [name, rule] : value) append_entry(out, name, toml_string(to_string(rule)));
}

void show(const Shown& out, JsonText<const std::string> value) {
  if (!value.text.empty()) append_word(out, value.text);
}

}  // namespace prx::config
