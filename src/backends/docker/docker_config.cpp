#include "backends/docker/docker_config.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "base/try.hpp"
#include "core/environment.hpp"

namespace prx::backends {
namespace {

/// They name places of the host, of which a container knows nothing.
constexpr std::array<std::string_view, 5> kHostPlaces{"PATH", "HOME", "USER", "SHELL", "TMPDIR"};

Error refusal(const Config& config, std::string_view key, std::string detail) {
  return {ErrorKind::unsupported,
          "config",
          std::string(key),
          0,
          std::move(detail),
          "remove it (it is set by " + config.origin_of(key).describe() +
              "), or set runtime.backend = \"native\""};
}

/// Refuses each rule that was asked for and that a container is not held to: one that is passed over in
/// silence is worse than none.
Result<void> check_enforceable(const Config& config) {
  const Config defaults;
  const auto& resources = config.security.resources;
  const bool cpu_time_is_wanted = config.is_set("security.resources.max_cpu_time_seconds") ||
                                  resources.max_cpu_time != defaults.security.resources.max_cpu_time;
  if (cpu_time_is_wanted && resources.max_cpu_time.count() != 0) {
    return refusal(config, "security.resources.max_cpu_time_seconds",
                   "the cpu time of a container's processes is not limited");
  }
  if (!config.security.sandbox.require.empty()) {
    return refusal(config, "security.sandbox.require", "this build cannot prove it of a container");
  }
  if (config.security.audit.enabled) {
    return refusal(config, "security.audit.enabled", "this build writes no audit log yet");
  }
  const auto* hosts = std::get_if<std::vector<std::string>>(&config.security.sandbox.allow_network);
  if (hosts != nullptr && !hosts->empty()) {
    return refusal(config, "security.sandbox.allow_network",
                   "a list of hosts cannot be enforced by this build");
  }
  return {};
}

/// Docker's own limit, and that of [security.resources] where that was asked for: of two that were, the
/// stricter. Zero is none.
template <class Number>
Number choose_limit(const Config& config, const char* own_key, Number own, Number own_default,
                    const char* common_key, Number common, Number common_default) {
  const bool own_is_set = config.is_set(own_key) || own != own_default;
  const bool common_is_set = config.is_set(common_key) || common != common_default;
  if (!common_is_set) return own;
  if (!own_is_set || own == 0) return common;
  return common == 0 ? own : std::min(own, common);
}

DockerNetwork choose_network(const Config& config) {
  const auto own = config.runtime.docker.network;
  if (config.is_set("runtime.docker.network") || own != DockerNetwork::none) return own;
  const auto* all = std::get_if<bool>(&config.security.sandbox.allow_network);
  return all != nullptr && *all ? DockerNetwork::bridge : DockerNetwork::none;
}

}  // namespace

Result<core::Settings> make_docker_settings(const Config& config, std::span<const std::string> host_env) {
  PRX_CHECK(check_enforceable(config));
  core::Settings settings;
  settings.backend = "docker";
  settings.sandbox = "docker";
  settings.shell = "/bin/sh";  // what a slot says of its own replaces it
  auto whitelist = config.runtime.env_whitelist;
  std::erase_if(whitelist, [](const auto& name) {
    return std::find(kHostPlaces.begin(), kHostPlaces.end(), name) != kHostPlaces.end();
  });
  auto filtered = core::filter_environment(host_env, whitelist);
  settings.base_env = std::move(filtered.passed);
  settings.env_withheld = filtered.withheld;
  settings.default_timeout = config.runtime.default_timeout;
  for (const auto& [tool, timeout] : config.runtime.tool_timeouts)
    settings.tool_timeouts.emplace(tool, timeout);
  settings.max_output = config.runtime.max_output;
  return settings;
}

DockerPlan make_docker_plan(const Config& config, const std::string& docker_config_folder) {
  const Config defaults;
  const auto& docker = config.runtime.docker;
  const auto& resources = config.security.resources;
  DockerPlan plan;
  plan.image = docker.image;
  plan.tool_images = docker.tool_images;
  plan.images.auto_pull = docker.auto_pull;
  plan.images.docker_config = docker_config_folder;
  plan.pool = docker.pool;
  plan.keep = !docker.auto_remove;
  auto& container = plan.container;
  container.oci_runtime = docker.oci_runtime;
  container.network = choose_network(config);
  container.memory.value =
      choose_limit(config, "runtime.docker.memory_limit", docker.memory_limit.value,
                   defaults.runtime.docker.memory_limit.value, "security.resources.max_memory_mb",
                   resources.max_memory.value, defaults.security.resources.max_memory.value);
  container.pids = choose_limit(config, "runtime.docker.pids_limit", docker.pids_limit,
                                defaults.runtime.docker.pids_limit, "security.resources.max_subprocesses",
                                resources.max_subprocesses, defaults.security.resources.max_subprocesses);
  container.cpus = docker.cpu_limit;
  container.open_files = resources.max_open_files;
  container.file_size = resources.max_file_size;
  container.private_tmp = !config.security.sandbox.share_tmp;
  return plan;
}

}  // namespace prx::backends
