#include "config/combinations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/overloaded.hpp"
#include "config/schema.hpp"
#include "config/value.hpp"

namespace prx::config {

namespace {

constexpr std::string_view kAllowNetwork = "security.sandbox.allow_network";
constexpr std::string_view kDockerNetwork = "runtime.docker.network";
constexpr std::string_view kWasmNetwork = "runtime.wasm.capabilities.network";

enum class Reach { nothing, hosts, everything };

Reach reach_of(const NetworkRule& rule) {
  return std::visit(
      base::Overloaded{
          [](bool yes) { return yes ? Reach::everything : Reach::nothing; },
          [](const std::vector<std::string>& hosts) { return hosts.empty() ? Reach::nothing : Reach::hosts; },
      },
      rule);
}

class Combinations {
 public:
  Combinations(const Config& config, std::vector<ConfigFinding>& findings)
      : config_(config), findings_(findings) {}

  void check() {
    check_docker_network();
    check_wasm_network();
    check_requirements();
    for (const auto& [name, tool] : config_.custom_tools) check_tool(join_key(kToolTable, name), tool);
    for (const auto& [name, server] : config_.mcp_servers) check_server(join_key(kServerTable, name), server);
  }

 private:
  /// Both keys were set, and not both can be had.
  void refuse_pair(std::string_view key, std::string_view other, std::string_view why) {
    if (!config_.is_set(key) || !config_.is_set(other)) return;
    refuse(key, fmt::format("contradicts {} ({}): {}", other, place_of(other).describe(), why),
           "change one of the two, or remove it");
  }

  void refuse(std::string_view key, std::string text, std::string hint) {
    findings_.push_back({true, place_of(key), std::string(key), std::move(text), std::move(hint)});
  }

  void check_docker_network() {
    const Reach reach = reach_of(config_.security.sandbox.allow_network);
    const DockerNetwork network = config_.runtime.docker.network;
    if (network != DockerNetwork::none && reach == Reach::nothing) {
      refuse_pair(kDockerNetwork, kAllowNetwork, "a container would have a network that the policy denies");
    }
    if (network == DockerNetwork::host && reach == Reach::hosts) {
      refuse_pair(kDockerNetwork, kAllowNetwork, "the host's network cannot be held to a list of hosts");
    }
  }

  void check_wasm_network() {
    const Reach reach = reach_of(config_.security.sandbox.allow_network);
    if (config_.runtime.wasm.network && reach == Reach::nothing) {
      refuse_pair(kWasmNetwork, kAllowNetwork, "a module would have a network that the policy denies");
    }
  }

  void check_requirements() {
    const SandboxConfig& sandbox = config_.security.sandbox;
    if (sandbox.backend == SandboxChoice::none && !sandbox.require.empty()) {
      refuse_pair("security.sandbox.require", "security.sandbox.backend",
                  "without a sandbox nothing is guaranteed");
    }
  }

  void check_tool(const std::string& key, const CustomToolConfig& tool) {
    if (has_errors(key)) return;
    const std::string_view type = tool.type ? to_string(*tool.type) : "native";
    const bool is_wasm = tool.type == BackendChoice::wasm;
    const bool is_docker = tool.type == BackendChoice::docker;
    if (is_wasm) need(key, "module", type);
    if (is_docker) need_one(key, "command", "args", type);
    if (!is_wasm && !is_docker) need(key, "command", type);
    if (is_wasm) refuse_misplaced(key, "command", type, "native or docker");
    if (!is_wasm) refuse_misplaced(key, "module", type, "wasm");
    if (!is_docker && tool.type) refuse_misplaced(key, "image", type, "docker");
  }

  void need(const std::string& table, std::string_view name, std::string_view type) {
    if (is_set(table, name)) return;
    refuse(table, fmt::format("has no {}, which a tool of type \"{}\" needs", name, type),
           fmt::format("add {} = \"…\" to [{}], or set its type", name, table));
  }

  void need_one(const std::string& table, std::string_view name, std::string_view other,
                std::string_view type) {
    if (is_set(table, name) || is_set(table, other)) return;
    refuse(table,
           fmt::format("has neither {} nor {}, one of which a tool of type \"{}\" needs", name, other, type),
           fmt::format("add {} = \"…\" to [{}]", name, table));
  }

  void refuse_misplaced(const std::string& table, std::string_view name, std::string_view type,
                        std::string_view right_type) {
    if (!is_set(table, name)) return;
    refuse(join_key(table, name), fmt::format("a tool of type \"{}\" has no {}", type, name),
           fmt::format("remove it, or set the tool's type: {}", right_type));
  }

  void check_server(const std::string& key, const McpServerConfig& server) {
    if (has_errors(key)) return;
    const bool is_local = is_set(key, "command");
    const bool is_remote = is_set(key, "url");
    if (!is_local && !is_remote) {
      return refuse(key, "has neither command nor url", fmt::format("add one of them to [{}]", key));
    }
    if (is_local && is_remote) refuse_pair(key + ".url", key + ".command", "a server is local or remote");
    if (is_local != (server.transport == "stdio") && !server.transport.empty()) {
      refuse_pair(key + ".transport", key + (is_local ? ".command" : ".url"),
                  is_local ? "a command is talked to over stdio" : "a URL is talked to over http or sse");
    }
    if (!is_local) {
      for (const std::string_view name : {"args", "env", "runtime"}) refuse_remote(key, name);
    }
    check_tool_lists(key, server);
  }

  void refuse_remote(const std::string& table, std::string_view name) {
    if (!is_set(table, name)) return;
    refuse_pair(join_key(table, name), table + ".url", "it is for a command, and a remote server has none");
  }

  void check_tool_lists(const std::string& table, const McpServerConfig& server) {
    for (const std::string& tool : server.allow_tools) {
      const auto& denied = server.deny_tools;
      if (std::find(denied.begin(), denied.end(), tool) == denied.end()) continue;
      refuse_pair(table + ".deny_tools", table + ".allow_tools", fmt::format("{} is in both", quoted(tool)));
    }
  }

  /// Where a key was set, or, for a table, the first entry in it.
  [[nodiscard]] Origin place_of(std::string_view key) const {
    const auto found = config_.origins.lower_bound(std::string(key));
    const bool is_there = found != config_.origins.end() && found->first.starts_with(key);
    return is_there ? found->second : Origin{};
  }

  /// Whether a key of the table was refused: what is missing may be what was meant by it.
  [[nodiscard]] bool has_errors(const std::string& table) const {
    const auto is_below = [&](const ConfigFinding& finding) {
      return finding.error && finding.key.starts_with(table + ".");
    };
    return std::any_of(findings_.begin(), findings_.end(), is_below);
  }

  [[nodiscard]] bool is_set(const std::string& table, std::string_view name) const {
    return config_.is_set(join_key(table, name));
  }

  const Config& config_;
  std::vector<ConfigFinding>& findings_;
};

}  // namespace

void check_combinations(const Config& config, std::vector<ConfigFinding>& findings) {
  Combinations(config, findings).check();
}

}  // namespace prx::config
