#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "config/key.hpp"

/// Every key of config.toml, named once. Reading, validation, suggestions, `prx config init`, `prx config
/// show` and the test of docs/configuration.md come from these tables.
namespace prx::config {

[[nodiscard]] std::span<const Key<RuntimeConfig>> runtime_keys() noexcept;    ///< below [runtime]
[[nodiscard]] std::span<const Key<SecurityConfig>> security_keys() noexcept;  ///< below [security]
[[nodiscard]] std::span<const Key<CustomToolConfig>> tool_keys() noexcept;    ///< below [tools.custom.<name>]
[[nodiscard]] std::span<const Key<McpServerConfig>> server_keys() noexcept;   ///< below [mcp.servers.<name>]

inline constexpr std::string_view kToolTable = "tools.custom";
inline constexpr std::string_view kServerTable = "mcp.servers";

/// A key as the reference names it.
struct ListedKey {
  std::string path;  ///< "runtime.native.shell", "tools.custom.<name>.command"
  const KeyInfo* info;
};

/// All keys, in the order of the file.
[[nodiscard]] const std::vector<ListedKey>& listed_keys();

}  // namespace prx::config
