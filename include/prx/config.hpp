#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <prx/request.hpp>
#include <prx/result.hpp>
#include <prx/units.hpp>

namespace prx {

enum class BackendChoice : std::uint8_t { automatic, native, docker, wasm };
enum class SandboxChoice : std::uint8_t {
  automatic,
  namespaces,
  landlock,
  bubblewrap,
  firejail,
  docker,
  none,
};
enum class DockerNetwork : std::uint8_t { none, bridge, host };
enum class WasmEngine : std::uint8_t { wasmtime, wasmer };
enum class ToolRule : std::uint8_t { allow, deny, supervised };
/// What a custom tool reads on stdin: nothing, or the arguments of the call as JSON.
enum class ToolInput : std::uint8_t { none, json };

/// Strings as they stand in config.toml ("auto", "native", …).
[[nodiscard]] std::string_view to_string(BackendChoice value) noexcept;
[[nodiscard]] std::string_view to_string(SandboxChoice value) noexcept;
[[nodiscard]] std::string_view to_string(DockerNetwork value) noexcept;
[[nodiscard]] std::string_view to_string(WasmEngine value) noexcept;
[[nodiscard]] std::string_view to_string(ToolRule value) noexcept;
[[nodiscard]] std::string_view to_string(ToolInput value) noexcept;

/// `[runtime.native]`
struct NativeConfig {
  /// Empty: /bin/bash, or /bin/sh where there is no bash (said once). Set and missing: an error.
  std::string shell;
  std::uint32_t pool = 0;
  std::vector<EnvVar> env;
};

/// `[runtime.docker]`
struct DockerConfig {
  std::string image = "debian:bookworm-slim";
  std::string socket = "/var/run/docker.sock";
  Bytes memory_limit{256ULL << 20U};
  double cpu_limit = 1.0;
  std::uint32_t pids_limit = 100;
  DockerNetwork network = DockerNetwork::none;
  bool mount_workspace = true;
  std::string workspace_mount_path = "/workspace";
  bool auto_pull = true;
  bool auto_remove = true;
  std::uint32_t pool = 0;
  std::string oci_runtime;
  std::map<std::string, std::string> tool_images;
};

/// `[runtime.wasm]` and `[runtime.wasm.capabilities]`
struct WasmConfig {
  WasmEngine engine = WasmEngine::wasmtime;
  std::string module_path = "~/.local/share/openprx/wasm/";
  std::chrono::seconds timeout{30};
  Bytes max_memory{128ULL << 20U};
  std::uint32_t pool = 0;
  std::vector<std::string> filesystem_read;
  std::vector<std::string> filesystem_write;
  bool network = false;
  std::vector<std::string> env_vars;
};

/// `[runtime]`
struct RuntimeConfig {
  BackendChoice backend = BackendChoice::automatic;
  std::chrono::seconds default_timeout{60};
  Bytes max_output{1ULL << 20U};
  std::vector<std::string> env_whitelist{"PATH", "HOME", "TERM", "LANG", "USER"};
  std::map<std::string, std::chrono::seconds> tool_timeouts;
  NativeConfig native;
  DockerConfig docker;
  WasmConfig wasm;
};

/// `allow_network`: off, on, or the names of hosts ("name", "name:port", "*.name").
using NetworkRule = std::variant<bool, std::vector<std::string>>;

/// `[security.sandbox]`
struct SandboxConfig {
  SandboxChoice backend = SandboxChoice::automatic;
  NetworkRule allow_network = false;
  std::vector<std::string> writable_paths{"/tmp"};
  std::vector<std::string> readonly_paths;
  std::vector<std::string> hidden_paths;
  std::vector<std::string> protected_paths{".git/hooks", ".git/config", ".envrc", ".vscode", ".idea",
                                           ".mcp.json",  ".claude",     ".codex", ".cursor", ".prx.toml"};
  bool allow_root_id = false;
  std::vector<std::string> require;
  bool share_tmp = false;
  bool ssh_agent = false;
};

/// `[security.resources]`. Zero means no limit.
struct ResourceConfig {
  Bytes max_memory{2048ULL << 20U};
  std::chrono::seconds max_cpu_time{60};
  std::uint32_t max_subprocesses = 256;
  std::uint32_t max_open_files = 1024;
  Bytes max_file_size{0};
};

/// `[security.tool_policy]`
struct ToolPolicyConfig {
  ToolRule default_rule = ToolRule::allow;
  std::map<std::string, ToolRule> groups;
  std::map<std::string, ToolRule> tools;
};

/// `[security.audit]`
struct AuditConfig {
  bool enabled = false;
  std::string path;
};

struct SecurityConfig {
  SandboxConfig sandbox;
  ResourceConfig resources;
  ToolPolicyConfig tool_policy;
  AuditConfig audit;
};

/// `[tools.custom.<name>]`
struct CustomToolConfig {
  /// Unset: that of `runtime.backend`; with "auto" docker if that was chosen, otherwise wasm where
  /// `runtime.wasm.module_path` has a module of the tool's name, otherwise native.
  std::optional<BackendChoice> type;
  std::string command;  ///< native, docker
  std::string module;   ///< wasm
  std::string image;    ///< docker
  std::vector<std::string> args;
  ToolInput input = ToolInput::none;
  std::optional<std::chrono::seconds> timeout;
  std::string description;
  std::string parameters_json;  ///< the `parameters` table as JSON text, empty when absent
  std::vector<std::string> annotations;
  std::string group;  ///< in `[security.tool_policy.groups]`
  std::vector<EnvVar> env;
};

/// `[mcp.servers.<name>]`
struct McpServerConfig {
  std::string command;
  std::vector<std::string> args;
  std::vector<EnvVar> env;
  std::string url;
  std::string transport;
  std::optional<BackendChoice> runtime;
  std::vector<std::string> allow_tools;
  std::vector<std::string> deny_tools;
  std::string tool_name_prefix;
};

/// Later layers win.
enum class ConfigLayer : std::uint8_t { built_in, user, environment, option };
[[nodiscard]] std::string_view to_string(ConfigLayer layer) noexcept;

/// Where a value comes from.
struct Origin {
  ConfigLayer layer = ConfigLayer::built_in;
  std::string source;        ///< the file, the variable's name, or the option's text
  std::uint32_t line = 0;    ///< 1-based; 0 where there is none
  std::uint32_t column = 0;  ///< 1-based; 0 where there is none

  /// "config.toml:3:1", "PRX_RUNTIME__BACKEND", "--set runtime.backend=native", "built-in".
  [[nodiscard]] std::string describe() const;
};

/// The effective configuration. A value: every field is valid, defaults filled in.
struct Config {
  RuntimeConfig runtime;
  SecurityConfig security;
  std::map<std::string, CustomToolConfig> custom_tools;
  std::map<std::string, McpServerConfig> mcp_servers;

  /// The directory that commands work in, the one place that a sandbox makes writable unasked. No key of
  /// config.toml: the caller's. Empty: the current directory when the runtime is made, unless that is `/` or
  /// a home directory.
  std::string workspace;

  /// Dotted key ("runtime.native.shell") → where its value was set. Keys left at their default are absent.
  std::map<std::string, Origin> origins;

  /// Where the value of a key was set; the layer is built_in for one left at its default.
  [[nodiscard]] Origin origin_of(std::string_view key) const;
  /// Whether the user set this key, or, for a table, anything in it.
  [[nodiscard]] bool is_set(std::string_view key) const;
};

/// Where to read from. of_process() is what the prx program does; without an environment there is no home to
/// look in, so that an empty ConfigSources gives the built-in values.
struct ConfigSources {
  /// The user's file. Unset: PRX_CONFIG, then $XDG_CONFIG_HOME/openprx/config.toml, then
  /// ~/.config/openprx/config.toml, where a missing file is no error. A file named here or by
  /// PRX_CONFIG must exist.
  std::optional<std::string> file{};
  /// `--set key=value`, later ones win. The value is TOML; what is not TOML is taken as a string.
  std::vector<std::string> settings{};
  /// "NAME=value" of the process; PRX_RUNTIME__BACKEND=native sets runtime.backend.
  std::vector<std::string> environment{};

  /// With `environment` from the calling process.
  [[nodiscard]] static ConfigSources of_process();
};

/// One key of the effective configuration.
struct ConfigItem {
  std::string key;    ///< dotted; for a table of free names, such as runtime.native.env, one item an entry
  std::string value;  ///< as TOML, in the unit the key is written in; a tool's parameters as JSON in a string
  Origin origin;
};

/// Every key that has a value, in the order of default_config_text().
[[nodiscard]] std::vector<ConfigItem> config_items(const Config& config);

/// One finding of a check. `error` says whether loading fails because of it.
struct ConfigFinding {
  bool error = true;
  Origin where;
  std::string key;
  std::string text;
  std::string hint;
};

struct ConfigReport {
  std::string file;  ///< the user file that was (or would be) read
  bool file_exists = false;
  std::vector<ConfigFinding> findings;
};

/// Reads all layers and validates the result. Error kind invalid_request, step "config", subject
/// the place (file:line:column, variable or option); the first finding in full, with the number of
/// others. Reads files, touches nothing.
[[nodiscard]] Result<Config> load_config(const ConfigSources& sources);

/// The same, with every error and note instead of the first. Never fails.
[[nodiscard]] ConfigReport check_config(const ConfigSources& sources);

/// A commented config.toml with every key at its default (what `prx config init` writes).
[[nodiscard]] std::string_view default_config_text() noexcept;

}  // namespace prx
