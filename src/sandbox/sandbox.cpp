#include "sandbox/sandbox.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/try.hpp"
#include "sandbox/guarantees.hpp"
#include "sandbox/host_identity.hpp"
#include "sandbox/landlock_plan.hpp"
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

Sandbox describe_sandbox(SandboxChoice kind, const Policy& policy, const protocol::PlanFields& plan) {
  Sandbox sandbox;
  sandbox.kind = to_string(kind);
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

Result<Sandbox> make_namespaces(const Policy& policy, const HostView& host) {
  return describe_sandbox(SandboxChoice::namespaces, policy, plan_namespaces(policy, kernel_facts(), host));
}

/// The slot's own folder is where the variables say that a home and temporary files are.
void add_own_places(std::span<const EnvVar> environment, Sandbox& sandbox) {
  const std::string folder(protocol::kSlotFolder);
  if (!value_of(environment, "HOME").empty()) sandbox.env.push_back({"HOME", folder + "/home"});
  sandbox.env.push_back({"TMPDIR", folder + "/tmp"});
}

void add_landlock_warnings(const Policy& policy, Sandbox& sandbox) {
  sandbox.warnings.emplace_back(
      "landlock: outside of the workspace, modes, owners, times and attributes of files change as far as the "
      "user's permissions go (guarantee metadata), and /proc tells of other processes (guarantee processes)");
  if (policy.protected_paths.empty()) return;
  std::string paths;
  for (const auto& path : policy.protected_paths) paths += (paths.empty() ? "" : ", ") + path;
  sandbox.warnings.push_back("landlock: the command can change " + paths + " (guarantee protected-paths)");
}

Result<Sandbox> make_landlock(const Config& config, const Policy& policy, std::span<const EnvVar> environment,
                              const HostView& host) {
  constexpr int kAbiOfScopes = 6;
  const auto kernel = kernel_facts();
  if (kernel.landlock_abi < kAbiOfScopes) {
    return Error{ErrorKind::unavailable,
                 "sandbox",
                 "landlock",
                 0,
                 kernel.landlock_abi == 0
                     ? "this kernel has no Landlock, or it is not turned on"
                     : "this kernel's Landlock (ABI " + std::to_string(kernel.landlock_abi) +
                           ") does not keep signals and abstract sockets in",
                 "use Linux 6.12 or later with landlock in its list of security modules (lsm=)"};
  }
  PRX_CHECK(check_for_landlock(config, policy));
  PRX_TRY(const auto identity, choose_host_identity(policy, SandboxChoice::landlock));
  const char* temporary = std::getenv("TMPDIR");
  const auto base = choose_slot_base(policy, {temporary == nullptr ? "" : temporary, "/tmp", "/var/tmp"}, host);
  if (base.empty()) {
    return Error{ErrorKind::unavailable,
                 "sandbox",
                 "landlock",
                 0,
                 "there is no place for the command's own home and temporary files that other commands are not "
                 "granted",
                 "set TMPDIR to a directory outside of the workspace and of writable_paths"};
  }
  auto sandbox =
      describe_sandbox(SandboxChoice::landlock, policy, plan_landlock(policy, identity, base, kernel, host));
  add_own_places(environment, sandbox);
  add_landlock_warnings(policy, sandbox);
  return sandbox;
}

Result<Sandbox> make_confined(const Config& config, SandboxChoice kind, std::span<const EnvVar> environment) {
  PRX_CHECK(check_required(config, kind));
  const RealHost host;
  PRX_TRY(const auto policy, make_policy(config, make_caller(config, environment), host));
  return kind == SandboxChoice::landlock ? make_landlock(config, policy, environment, host) : make_namespaces(policy, host);
}

}  // namespace

Result<Sandbox> make_sandbox(const Config& config, std::span<const EnvVar> environment) {
  const auto wanted = config.security.sandbox.backend;
  switch (wanted) {
    case SandboxChoice::none:
      return Sandbox{
          .kind = "none", .plan = {}, .workspace = {}, .denials_observed = false, .env = {}, .warnings = {}};
    case SandboxChoice::automatic:
      return make_confined(config, SandboxChoice::namespaces, environment);
    case SandboxChoice::namespaces:
    case SandboxChoice::landlock:
      return make_confined(config, wanted, environment);
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
