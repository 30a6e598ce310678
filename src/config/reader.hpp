#pragma once

#include <array>
#include <string_view>

#include <prx/config.hpp>

#include "config/layer.hpp"
#include "config/value.hpp"

namespace prx::config {

/// The top-level tables that are prx's. All others belong to the agent.
inline constexpr std::array<std::string_view, 4> kTables{"runtime", "security", "tools", "mcp"};

/// Puts the values of a document over those of `config`; what is wrong goes to the layer.
void read_document(const Table& document, Layer& layer, Config& config);

}  // namespace prx::config
