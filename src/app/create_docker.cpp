#include "app/create_docker.hpp"

#include <unistd.h>

#include "app/docker_shares.hpp"
#include "backends/docker/docker_config.hpp"
#include "backends/docker/docker_runtime.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"
#include "sandbox/sandbox.hpp"

namespace prx::app {
namespace {

constexpr std::uint32_t kNobody = 65534;

/// Who a command is: the caller. Root's commands are whoever owns the workspace, or nobody.
void set_user(std::uint32_t owner_uid, std::uint32_t owner_gid, backends::ContainerPlan& container) {
  const bool is_root = ::geteuid() == 0;
  container.uid = is_root ? owner_uid : ::geteuid();
  container.gid = is_root ? owner_gid : ::getegid();
}

/// Paths of this machine come in together with the workspace, or not at all.
Result<void> refuse_paths(const Config& config) {
  const Config defaults;
  const auto& sandbox = config.security.sandbox;
  const auto& plain = defaults.security.sandbox;
  const auto refuse = [&](const char* key) {
    return Error{ErrorKind::unsupported,
                 "config",
                 key,
                 0,
                 "without the workspace no path of this machine is mounted into a container",
                 "remove it (it is set by " + config.origin_of(key).describe() +
                     "), or set runtime.docker.mount_workspace = true"};
  };
  if (sandbox.readonly_paths != plain.readonly_paths) return refuse("security.sandbox.readonly_paths");
  if (sandbox.writable_paths != plain.writable_paths) return refuse("security.sandbox.writable_paths");
  if (sandbox.hidden_paths != plain.hidden_paths) return refuse("security.sandbox.hidden_paths");
  if (sandbox.share_tmp) return refuse("security.sandbox.share_tmp");
  return {};
}

Result<void> add_workspace(const Config& config, const backends::Endpoint& endpoint, core::Settings& settings,
                           backends::ContainerPlan& container) {
  const auto& mount_path = config.runtime.docker.workspace_mount_path;
  if (!endpoint.is_local()) {
    return Error{ErrorKind::unsupported,
                 "workspace",
                 endpoint.address,
                 0,
                 "the docker daemon is on another machine, where the workspace cannot be mounted",
                 "use a daemon of this machine, or set runtime.docker.mount_workspace = false"};
  }
  PRX_TRY(const auto policy, sandbox::make_policy_here(config, {}));
  PRX_CHECK(refuse_socket(policy, endpoint.path));
  auto shares = share_paths(policy, mount_path, sandbox::RealHost());
  PRX_TRY(const auto warnings, warn_of_submounts(shares));
  container.shares = std::move(shares.shares);
  container.masks = std::move(shares.masks);
  set_user(policy.workspace.info.uid, policy.workspace.info.gid, container);
  settings.workspace = policy.workspace.path;
  settings.workspace_in_slot = mount_path;
  settings.expected_files = std::move(shares.expected);
  settings.warnings.insert(settings.warnings.end(), policy.warnings.begin(), policy.warnings.end());
  settings.warnings.insert(settings.warnings.end(), warnings.begin(), warnings.end());
  return {};
}

Result<void> add_scratch(const Config& config, core::Settings& settings, backends::ContainerPlan& container) {
  PRX_CHECK(refuse_paths(config));
  set_user(kNobody, kNobody, container);
  container.scratch = config.runtime.docker.workspace_mount_path;
  // Commands start there, wherever the caller stands.
  settings.workspace = container.scratch;
  settings.workspace_in_slot = container.scratch;
  return {};
}

}  // namespace

Result<std::unique_ptr<RuntimeAdapter>> create_docker(const Config& config, HostKind host) {
  const auto surroundings = backends::DockerSurroundings::of_process();
  PRX_TRY(auto endpoint, backends::choose_endpoint(config, surroundings));
  PRX_TRY(auto settings, backends::make_docker_settings(config, core::process_environment()));
  auto plan = backends::make_docker_plan(config, surroundings.config_folder);
  // For one command the way to the daemon and back, to remove what it was in, is longer than the command.
  plan.container.remove_itself = host == HostKind::one_shot && !plan.keep;
  if (host == HostKind::one_shot) plan.pool = 0;
  if (config.runtime.docker.mount_workspace) {
    PRX_CHECK(add_workspace(config, endpoint, settings, plan.container));
  } else {
    PRX_CHECK(add_scratch(config, settings, plan.container));
  }
  return backends::make_docker_runtime(std::move(settings), std::move(plan), std::move(endpoint));
}

}  // namespace prx::app
