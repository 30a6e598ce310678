#include <fmt/format.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "config/schema.hpp"
#include "config/value.hpp"

namespace prx {

namespace {

template <class Owner>
void append_items(std::string_view table, std::span<const config::Key<Owner>> keys, const Owner& owner,
                  std::vector<ConfigItem>& items) {
  for (const config::Key<Owner>& key : keys) {
    key.show(owner, key.info, fmt::format("{}.{}", table, key.info.path), items);
  }
}

template <class Owner>
void append_named(std::string_view table, std::span<const config::Key<Owner>> keys,
                  const std::map<std::string, Owner>& owners, std::vector<ConfigItem>& items) {
  for (const auto& [name, owner] : owners) append_items(config::join_key(table, name), keys, owner, items);
}

}  // namespace

std::vector<ConfigItem> config_items(const Config& config) {
  std::vector<ConfigItem> items;
  append_items("runtime", config::runtime_keys(), config.runtime, items);
  append_items("security", config::security_keys(), config.security, items);
  append_named(config::kToolTable, config::tool_keys(), config.custom_tools, items);
  append_named(config::kServerTable, config::server_keys(), config.mcp_servers, items);
  for (ConfigItem& item : items) item.origin = config.origin_of(item.key);
  return items;
}

}  // namespace prx
