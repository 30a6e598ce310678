#include "sandbox/sandbox.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/log.hpp"
#include "base/try.hpp"
#include "sandbox/limits.hpp"
#include "sandbox/live_limits.hpp"
#include "sandbox/live_plan.hpp"
#include "sandbox/namespaces_plan.hpp"
#include "sandbox/never_visible.hpp"

namespace prx::sandbox {
namespace {

std::string value_of(std::span<const EnvVar> environment, std::string_view name) {
  for (const auto& variable : environment) {
    if (variable.name == name) return variable.value;
  }
  return {};
}

std::string home_of(std::span<const EnvVar> environment) {
  auto home = value_of(environment, "HOME");
  if (home.empty()) {
    if (const char* host = std::getenv("HOME"); host != nullptr) home = host;
  }
  return home;
}

Caller make_caller(const Config& config, std::span<const EnvVar> environment) {
  Caller caller;
  caller.uid = ::geteuid();
  caller.gid = ::getegid();
  caller.home = home_of(environment);
  caller.path = value_of(environment, "PATH");
  caller.workspace_named = !config.workspace.empty();
  std::error_code error;
  caller.workspace =
      caller.workspace_named ? config.workspace : std::filesystem::current_path(error).string();
  caller.never_visible = find_never_visible(config, caller.home, caller.uid);
  if (config.security.sandbox.ssh_agent) caller.ssh_agent = ssh_agent_socket();
  caller.state_folder = own_folder("XDG_STATE_HOME", caller.home, "/.local/state");
  return caller;
}

KernelFacts kernel_facts() {
  constexpr unsigned kVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
  const auto abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion);
  const std::uint32_t notify = SECCOMP_RET_USER_NOTIF;
  const auto listener = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &notify);
  return {abi < 0 ? 0 : static_cast<int>(abi), listener == 0};
}

std::string join_path(const std::vector<std::string>& entries) {
  std::string path;
  for (const auto& entry : entries) path += (path.empty() ? "" : ":") + entry;
  return path;
}

Result<Sandbox> make_namespaces(const Config& config, std::span<const EnvVar> environment,
                                const LimitPlan& limits) {
  auto planner = [kernel = kernel_facts()](const Policy& policy, const HostView& host) {
    return plan_namespaces(policy, kernel, host);
  };
  PRX_TRY(const auto live,
          LivePlan::make(config, make_caller(config, environment), std::move(planner), limits));
  const auto& policy = live->first_policy();
  Sandbox sandbox;
  sandbox.kind = "namespaces";
  sandbox.plan = [live] { return live->current(); };
  sandbox.watch = [live](const std::string& execution) { return live->watch(execution); };
  sandbox.needs_spawner = true;
  sandbox.denials_observed = live->first_plan().observe;
  sandbox.workspace = policy.workspace.path;
  sandbox.warnings = policy.warnings;
  if (!policy.caller.path.empty()) sandbox.env.push_back({"PATH", join_path(policy.path)});
  if (policy.ssh_agent) sandbox.env.push_back({"SSH_AUTH_SOCK", kSshAgentPlace});
  if (policy.allow_root_id && policy.caller.uid == 0) {
    sandbox.warnings.emplace_back(
        "allow_root_id: the command runs under the host's root id, without its privileges");
  }
  return sandbox;
}

/// The bare process, but for its limits.
Sandbox make_unconfined(const Config& config, const LimitPlan& limits) {
  Sandbox sandbox;
  sandbox.kind = "none";
  sandbox.plan = [live = std::make_shared<LiveLimits>(config, limits)] { return live->current(); };
  sandbox.needs_spawner = !limits.controls.empty();
  return sandbox;
}

Result<Sandbox> make_kind(const Config& config, std::span<const EnvVar> environment,
                          const LimitPlan& limits) {
  const auto wanted = config.security.sandbox.backend;
  switch (wanted) {
    case SandboxChoice::none:
      return make_unconfined(config, limits);
    case SandboxChoice::automatic:
    case SandboxChoice::namespaces:
      return make_namespaces(config, environment, limits);
    default:
      break;
  }
  return Error{ErrorKind::unsupported,
               "sandbox",
               std::string(to_string(wanted)),
               0,
               "this build has no such sandbox",
               "set security.sandbox.backend to \"namespaces\", or to \"none\" to run commands unconfined (" +
                   config.origin_of("security.sandbox.backend").describe() + ")"};
}

}  // namespace

Result<Sandbox> make_sandbox(const Config& config, std::span<const EnvVar> environment) {
  PRX_TRY(const auto limits, plan_limits(config, read_limit_facts(config)));
  PRX_TRY(auto sandbox, make_kind(config, environment, limits));
  for (const auto& warning : limits.warnings) base::log(base::LogLevel::warning, warning);
  return sandbox;
}

}  // namespace prx::sandbox
