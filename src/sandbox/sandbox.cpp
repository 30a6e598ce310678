#include "sandbox/sandbox.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/try.hpp"
#include "sandbox/namespaces_plan.hpp"

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

/// What of prx no command may ever see.
std::vector<std::string> own_paths(const std::string& home) {
  std::vector<std::string> paths;
  const auto add = [&](const char* variable, const char* fallback) {
    const char* base = std::getenv(variable);
    const std::string folder = base != nullptr && *base == '/' ? base : home + fallback;
    if (!folder.empty() && folder.front() == '/') paths.push_back(folder + "/openprx");
  };
  add("XDG_CONFIG_HOME", "/.config");
  add("XDG_STATE_HOME", "/.local/state");
  add("XDG_CACHE_HOME", "/.cache");
  if (const char* config = std::getenv("PRX_CONFIG"); config != nullptr && *config == '/')
    paths.emplace_back(config);
  return paths;
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
  caller.own_paths = own_paths(caller.home);
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

Result<Sandbox> make_namespaces(const Config& config, std::span<const EnvVar> environment) {
  const RealHost host;
  PRX_TRY(const auto policy, make_policy(config, make_caller(config, environment), host));
  Sandbox sandbox;
  sandbox.kind = "namespaces";
  const auto plan = plan_namespaces(policy, kernel_facts(), host);
  sandbox.plan = protocol::encode_plan(plan);
  sandbox.denials_observed = plan.observe;
  sandbox.workspace = policy.workspace.path;
  sandbox.warnings = policy.warnings;
  if (!policy.caller.path.empty()) sandbox.env.push_back({"PATH", join_path(policy.path)});
  if (policy.allow_root_id && policy.caller.uid == 0) {
    sandbox.warnings.emplace_back(
        "allow_root_id: the command runs under the host's root id, without its privileges");
  }
  return sandbox;
}

}  // namespace

Result<Policy> make_policy_here(const Config& config, std::span<const EnvVar> environment) {
  return make_policy(config, make_caller(config, environment), RealHost());
}

Result<Sandbox> make_sandbox(const Config& config, std::span<const EnvVar> environment) {
  const auto wanted = config.security.sandbox.backend;
  switch (wanted) {
    case SandboxChoice::none:
      return Sandbox{
          .kind = "none", .plan = {}, .workspace = {}, .denials_observed = false, .env = {}, .warnings = {}};
    case SandboxChoice::automatic:
    case SandboxChoice::namespaces:
      return make_namespaces(config, environment);
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

}  // namespace prx::sandbox
