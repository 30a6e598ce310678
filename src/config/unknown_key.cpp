#include "config/unknown_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "config/schema.hpp"
#include "config/suggest.hpp"
#include "config/variable_name.hpp"

namespace prx::config {

namespace {

/// The key in the spelling of the layer it is suggested to.
std::string spelled(const Layer& layer, std::string_view key) {
  return layer.kind() == ConfigLayer::environment ? variable_name(key) : std::string(key);
}

/// A key or table that ends in `.name`, wherever it is.
std::optional<std::string> elsewhere(std::string_view name) {
  const std::string end = fmt::format(".{}", name);
  const std::string middle = end + ".";
  for (const ListedKey& key : listed_keys()) {
    const std::string_view path = key.path;
    if (path.ends_with(end)) return std::string(path);
    const auto at = path.find(middle);
    if (at != std::string_view::npos) return std::string(path.substr(0, at + end.size()));
  }
  return std::nullopt;
}

/// A neighbour that contains the name or is contained in it: "timeout" for "default_timeout_secs".
std::optional<std::string_view> overlapping(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() < 4) return std::nullopt;
  const auto overlaps = [&](std::string_view other) {
    return other.find(name) != std::string_view::npos ||
           (other.size() >= 4 && name.find(other) != std::string_view::npos);
  };
  const auto found = std::find_if(known.begin(), known.end(), overlaps);
  return found == known.end() ? std::nullopt : std::optional(*found);
}

std::string all_names(std::span<const std::string_view> known) {
  std::string names;
  for (const std::string_view name : known) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

std::string suggestion(const Layer& layer, std::string_view table, std::string_view name,
                       std::span<const std::string_view> known) {
  const auto ask = [&](std::string_view key) { return fmt::format("did you mean {}?", spelled(layer, key)); };
  if (const auto near = nearest(name, known)) return ask(join_key(table, *near));
  if (const auto there = elsewhere(name)) return ask(*there);
  if (const auto part = overlapping(name, known)) return ask(join_key(table, *part));
  return fmt::format("the keys of [{}] are {}", table, all_names(known));
}

}  // namespace

void refuse_unknown_key(Layer& layer, std::string_view table, const Entry& entry,
                        std::span<const std::string_view> known) {
  const std::string key = join_key(table, entry.key);
  layer.refuse(key, entry.at, fmt::format("there is no key {} in [{}]", key_part(entry.key), table),
               suggestion(layer, table, entry.key, known));
}

void report_unknown_table(Layer& layer, const Entry& entry, std::span<const std::string_view> known) {
  const std::string key = key_part(entry.key);
  auto meant = nearest(entry.key, known);
  std::string hint;
  if (meant) {
    hint = fmt::format("did you mean [{}]?", *meant);
  } else if (const auto there = elsewhere(entry.key)) {
    hint = fmt::format("did you mean {}?", *there);
  }
  if (layer.kind() == ConfigLayer::user) {
    return layer.note(key, entry.at, "is not prx's and was not read", std::move(hint));
  }
  if (hint.empty()) hint = fmt::format("prx's tables are {}", all_names(known));
  layer.refuse(key, entry.at, "is not a key of prx", std::move(hint));
}

}  // namespace prx::config
