#include "config/schema.hpp"

#include <fmt/format.h>

namespace prx::config {

namespace {

template <class Owner>
void list_keys(std::string_view table, std::span<const Key<Owner>> keys, std::vector<ListedKey>& out) {
  for (const Key<Owner>& key : keys) out.push_back({fmt::format("{}.{}", table, key.info.path), &key.info});
}

std::vector<ListedKey> list_all() {
  std::vector<ListedKey> keys;
  list_keys("runtime", runtime_keys(), keys);
  list_keys("security", security_keys(), keys);
  list_keys(fmt::format("{}.<name>", kToolTable), tool_keys(), keys);
  list_keys(fmt::format("{}.<name>", kServerTable), server_keys(), keys);
  return keys;
}

}  // namespace

const std::vector<ListedKey>& listed_keys() {
  // Built when first asked for: a start without a slip in the configuration never needs it. Never destroyed:
  // another thread of the host may still read the configuration while the process ends.
  static const auto& keys = *new std::vector<ListedKey>(list_all());
  return keys;
}

}  // namespace prx::config
