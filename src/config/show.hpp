#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "config/key.hpp"
#include "config/read.hpp"

namespace prx::config {

struct Shown {
  const KeyInfo& info;
  std::string_view key;
  std::vector<ConfigItem>& items;
};

// Each appends the value as TOML, in the unit of its rule, so that reading it back gives the same value
// (but for JSON, which is shown as a string). What has no value, such as an empty table, appends nothing.

void show(const Shown& out, bool value);
void show(const Shown& out, std::uint32_t value);
void show(const Shown& out, double value);
void show(const Shown& out, const std::string& value);
void show(const Shown& out, std::chrono::seconds value);
void show(const Shown& out, std::optional<std::chrono::seconds> value);
void show(const Shown& out, Bytes value);
void show(const Shown& out, BackendChoice value);
void show(const Shown& out, std::optional<BackendChoice> value);
void show(const Shown& out, SandboxChoice value);
void show(const Shown& out, DockerNetwork value);
void show(const Shown& out, WasmEngine value);
void show(const Shown& out, ToolRule value);
void show(const Shown& out, ToolInput value);
void show(const Shown& out, const NetworkRule& value);
void show(const Shown& out, const std::vector<std::string>& value);
void show(const Shown& out, const std::vector<EnvVar>& value);
void show(const Shown& out, const std::map<std::string, std::string>& value);
void show(const Shown& out, const std::map<std::string, std::chrono::seconds>& value);
void show(const Shown& out, const std::map<std::string, ToolRule>& value);
void show(const Shown& out, JsonText<const std::string> value);

}  // namespace prx::config
