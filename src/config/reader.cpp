#include "config/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "config/text_checks.hpp"
#include "config/unknown_key.hpp"

namespace prx::config {

namespace {

const Table* as_table(Layer& layer, std::string_view key, const Entry& entry) {
  const auto* table = std::get_if<Table>(&entry.value.data);
  if (table == nullptr) {
    layer.refuse(key, entry.value.at, fmt::format("is a table, not {}", in_words(entry.value)),
                 fmt::format("write [{}] and its keys below it", key));
  }
  return table;
}

/// Reads a table and those in it into one owner.
template <class Owner>
class TableReader {
 public:
  TableReader(std::span<const Key<Owner>> keys, Layer& layer, Owner& owner)
      : keys_(keys), layer_(layer), owner_(owner) {}

  /// `shown` is the full key of the table; `path` the table in the owner, empty for the owner itself.
  void read(const Table& table, std::string_view shown, std::string_view path) {
    for (const Entry& entry : table.entries) {
      const std::string key = join_key(shown, entry.key);
      const std::string inner = join_key(path, entry.key);
      if (const Key<Owner>* known = find(inner)) {
        known->read(owner_, {known->info, key, entry.at, entry.value, layer_});
      } else if (is_table(inner)) {
        if (const Table* below = as_table(layer_, key, entry)) read(*below, key, inner);
      } else {
        refuse_unknown_key(layer_, shown, entry, names_in(path));
      }
    }
  }

 private:
  const Key<Owner>* find(std::string_view path) const {
    const auto is_it = [&](const Key<Owner>& key) { return key.info.path == path; };
    const auto found = std::find_if(keys_.begin(), keys_.end(), is_it);
    return found == keys_.end() ? nullptr : &*found;
  }

  bool is_table(std::string_view path) const {
    const auto is_below = [&](const Key<Owner>& key) {
      return key.info.path.size() > path.size() && key.info.path.starts_with(path) &&
             key.info.path[path.size()] == '.';
    };
    return std::any_of(keys_.begin(), keys_.end(), is_below);
  }

  std::vector<std::string_view> names_in(std::string_view table) const {
    std::vector<std::string_view> names;
    for (const Key<Owner>& key : keys_) {
      std::string_view path = key.info.path;
      if (!path.starts_with(table)) continue;
      path.remove_prefix(table.empty() ? 0 : table.size() + 1);
      const auto name = path.substr(0, path.find('.'));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
  }

  std::span<const Key<Owner>> keys_;
  Layer& layer_;
  Owner& owner_;
};

/// Reads the tables of [tools.custom] or [mcp.servers], each into the owner of its name.
template <class Owner>
void read_named(const Table& tables, std::string_view shown, std::span<const Key<Owner>> keys, Layer& layer,
                std::map<std::string, Owner>& owners) {
  for (const Entry& entry : tables.entries) {
    const std::string key = join_key(shown, entry.key);
    const char* wrong =
        entry.key.find('\0') != std::string::npos ? "has a NUL byte" : checks::name(entry.key);
    if (wrong != nullptr) {
      layer.refuse(key, entry.at, fmt::format("the name {} {}", quoted(entry.key), wrong),
                   "give it another name");
      continue;
    }
    if (const Table* table = as_table(layer, key, entry)) {
      layer.accept(key, entry.at);
      TableReader<Owner>(keys, layer, owners[entry.key]).read(*table, key, "");
    }
  }
}

/// [tools] and [mcp] hold one table each.
template <class Owner>
void read_outer(const Table& outer, std::string_view outer_name, std::string_view named_table,
                std::span<const Key<Owner>> keys, Layer& layer, std::map<std::string, Owner>& owners) {
  const std::array known{named_table.substr(outer_name.size() + 1)};
  for (const Entry& entry : outer.entries) {
    if (entry.key != known.front()) {
      refuse_unknown_key(layer, outer_name, entry, known);
    } else if (const Table* tables = as_table(layer, named_table, entry)) {
      read_named(*tables, named_table, keys, layer, owners);
    }
  }
}

}  // namespace

void read_document(const Table& document, Layer& layer, Config& config) {
  for (const Entry& entry : document.entries) {
    if (std::find(kTables.begin(), kTables.end(), entry.key) == kTables.end()) {
      report_unknown_table(layer, entry, kTables);
      continue;
    }
    const Table* table = as_table(layer, entry.key, entry);
    if (table == nullptr) continue;
    if (entry.key == "runtime") {
      TableReader<RuntimeConfig>(runtime_keys(), layer, config.runtime).read(*table, entry.key, "");
    } else if (entry.key == "security") {
      TableReader<SecurityConfig>(security_keys(), layer, config.security).read(*table, entry.key, "");
    } else if (entry.key == "tools") {
      read_outer(*table, entry.key, kToolTable, tool_keys(), layer, config.custom_tools);
    } else {
      read_outer(*table, entry.key, kServerTable, server_keys(), layer, config.mcp_servers);
    }
  }
}

}  // namespace prx::config
