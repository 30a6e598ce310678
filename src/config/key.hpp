#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "config/layer.hpp"
#include "config/rule.hpp"
#include "config/value.hpp"

namespace prx::config {

/// How the file of `prx config init` has a key.
enum class Start : std::uint8_t {
  written,      ///< as a line that counts, at its default
  set_matters,  ///< commented out, at its default: to set it means more than its value (see its text)
  example,      ///< commented out, with an example: by default it has no value
  alternative,  ///< only in its text: with the example's other keys it would be a contradiction
};

/// What is known of a key besides where it is stored. Paths of tools and servers are relative to them.
struct KeyInfo {
  std::string_view path;
  Rule rule;
  std::string_view value;  ///< TOML text: the default, or an example
  Start start = Start::written;
  std::string_view about;  ///< one or two sentences
};

/// One value on its way into the configuration.
struct Input {
  const KeyInfo& info;
  std::string_view key;  ///< the full dotted key, as it is shown
  Position key_at;
  const Value& value;
  Layer& layer;
};

/// A key with its place in `Owner`: Config, CustomToolConfig or McpServerConfig.
template <class Owner>
struct Key {
  KeyInfo info;
  /// Checks the value, and stores it if it is right; otherwise tells the layer.
  void (*read)(Owner&, const Input&);
  /// Appends the key, or each entry of a table, as TOML.
  void (*show)(const Owner&, const KeyInfo&, std::string_view key, std::vector<ConfigItem>&);
};

}  // namespace prx::config
