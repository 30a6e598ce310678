#include "backends/wasm/wasm_settings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/try.hpp"
#include "core/environment.hpp"

namespace prx::backends {
namespace {

constexpr const char* kReadKey = "runtime.wasm.capabilities.filesystem_read";
constexpr const char* kWriteKey = "runtime.wasm.capabilities.filesystem_write";

/// They name places of this machine, which mean nothing to a module.
constexpr std::array<std::string_view, 5> kHostPlaces{"PATH", "HOME", "USER", "SHELL", "TMPDIR"};

Error refusal(const Config& config, const std::string& key, std::string detail, std::string remedy) {
  return {ErrorKind::unsupported,
          "config",
          key,
          0,
          std::move(detail),
          std::move(remedy) + " (it is set by " + config.origin_of(key).describe() + ")"};
}

/// A module sees only what its capabilities grant, so most rules hold by themselves; a rule about a part of
/// what is granted cannot be kept.
Result<void> check_enforceable(const Config& config) {
  const auto& granted = config.runtime.wasm;
  if (granted.network) {
    return refusal(config, "runtime.wasm.capabilities.network", "modules cannot have a network in this build",
                   "set it to false");
  }
  if (config.security.audit.enabled) {
    return refusal(config, "security.audit.enabled", "this build has no audit log yet", "remove it");
  }
  if (!config.security.sandbox.require.empty()) {
    return refusal(config, "security.sandbox.require", "this build cannot hold a module to it yet",
                   "remove it");
  }
  const bool grants_files = !granted.filesystem_read.empty() || !granted.filesystem_write.empty();
  if (grants_files && !config.security.sandbox.hidden_paths.empty()) {
    return refusal(config, "security.sandbox.hidden_paths",
                   "a part of a directory that a module is granted cannot be hidden from it",
                   "remove it, or grant other directories");
  }
  return {};
}

std::vector<std::string> visible_names(const Config& config) {
  std::vector<std::string> names;
  for (const auto& name : config.runtime.wasm.env_vars) {
    const auto& passed = config.runtime.env_whitelist;
    const bool is_passed = std::find(passed.begin(), passed.end(), name) != passed.end();
    const bool is_place = std::find(kHostPlaces.begin(), kHostPlaces.end(), name) != kHostPlaces.end();
    if (is_passed && !is_place) names.push_back(name);
  }
  return names;
}

/// Of two limits, where zero is none.
std::chrono::milliseconds shorter(std::chrono::milliseconds a, std::chrono::milliseconds b) {
  if (a.count() == 0 || b.count() == 0) return a + b;
  return std::min(a, b);
}

Result<protocol::WasmDirectory> grant(const Config& config, const char* key, const std::string& path,
                                      const std::string& workspace, bool writable) {
  if (path == "/tmp") {
    return refusal(config, key, "a private /tmp is not in this build yet",
                   "grant a directory of your own instead");
  }
  const bool is_workspace = path == "/workspace";
  std::error_code error;
  const auto host = std::filesystem::canonical(is_workspace ? workspace : path, error);
  if (!error && std::filesystem::is_directory(host, error)) {
    return protocol::WasmDirectory{host.string(), path, writable};
  }
  return Error{ErrorKind::invalid_request,
               "config",
               is_workspace ? workspace : path,
               error.value(),
               "a module cannot be granted what is no directory",
               "create it, or correct " + std::string(key) + " (" + config.origin_of(key).describe() + ")"};
}

/// Nothing holds a module to a part of what it may write.
Result<void> check_protected(const Config& config, const protocol::WasmDirectory& directory) {
  if (!directory.writable) return {};
  for (const auto& path : config.security.sandbox.protected_paths) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::path(directory.host) / path, error)) continue;
    return refusal(config, kWriteKey, directory.host + " holds " + path + ", which is a protected path",
                   "grant a directory below it, or empty security.sandbox.protected_paths");
  }
  return {};
}

}  // namespace

Result<core::Settings> make_wasm_settings(const Config& config, std::span<const std::string> host_env) {
  PRX_CHECK(check_enforceable(config));
  const auto ceiling = std::chrono::milliseconds(config.runtime.wasm.timeout);
  core::Settings settings;
  settings.backend = "wasm";
  settings.sandbox = to_string(config.runtime.wasm.engine);
  auto filtered = core::filter_environment(host_env, visible_names(config));
  settings.base_env = std::move(filtered.passed);
  settings.env_withheld = filtered.withheld;
  settings.default_timeout = shorter(config.runtime.default_timeout, ceiling);
  for (const auto& [tool, timeout] : config.runtime.tool_timeouts) {
    settings.tool_timeouts.emplace(tool, shorter(timeout, ceiling));
  }
  settings.max_output = config.runtime.max_output;
  settings.max_memory = config.runtime.wasm.max_memory;
  return settings;
}

Result<std::vector<protocol::WasmDirectory>> granted_directories(const Config& config,
                                                                 const std::string& workspace) {
  std::vector<protocol::WasmDirectory> directories;
  const auto& wasm = config.runtime.wasm;
  for (const auto& path : wasm.filesystem_write) {
    PRX_TRY(auto directory, grant(config, kWriteKey, path, workspace, true));
    PRX_CHECK(check_protected(config, directory));
    directories.push_back(std::move(directory));
  }
  for (const auto& path : wasm.filesystem_read) {
    const auto& written = wasm.filesystem_write;
    if (std::find(written.begin(), written.end(), path) != written.end()) continue;
    PRX_TRY(auto directory, grant(config, kReadKey, path, workspace, false));
    directories.push_back(std::move(directory));
  }
  return directories;
}

}  // namespace prx::backends
