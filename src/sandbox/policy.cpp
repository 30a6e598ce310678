#include "sandbox/policy.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/try.hpp"
#include "sandbox/git_folders.hpp"
#include "sandbox/hidden_paths.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/system_tree.hpp"
#include "sandbox/toolchains.hpp"

namespace prx::sandbox {
namespace {

Error refused(std::string step, std::string subject, std::string detail, std::string hint) {
  return {ErrorKind::invalid_request, std::move(step), std::move(subject), 0,
          std::move(detail),          std::move(hint)};
}

/// What is never visible and would be shown with `path`, in words; or empty.
std::string never_visible_within(const std::string& path, const Caller& caller, const HostView& host) {
  for (const auto& entry : caller.never_visible) {
    // What does not exist yet may, before the command ends.
    const auto real = host.resolve(entry.path);
    if (is_within(real.empty() ? entry.path : real, path)) return entry.path + " (" + entry.what + ")";
  }
  return {};
}

Result<Grant> find_workspace(const Caller& caller, const HostView& host) {
  auto path = host.resolve(caller.workspace);
  const auto info = path.empty() ? std::nullopt : host.look(path);
  if (!info || info->kind != FileKind::directory) {
    return refused("workspace", caller.workspace, "no such directory",
                   "give an existing one with --workspace");
  }
  const auto home = host.resolve(caller.home);
  const bool too_much = path == "/" || path == home || is_within(home, path);
  if (path == "/" || (too_much && !caller.workspace_named)) {
    return refused("workspace", path,
                   path == "/" ? "the whole file system cannot be the workspace"
                               : "a home directory, or one that holds it, is not made writable unasked",
                   "change to the project's directory, or name it: --workspace " + path);
  }
  const auto held = never_visible_within(path, caller, host);
  if (!held.empty() && !caller.workspace_named) {
    return refused("workspace", path, "it holds " + held + ", which is never shown to a command",
                   "change to the project's directory, or name it: --workspace " + path);
  }
  return Grant{path, *info, true, caller.workspace_named ? "--workspace" : "the current directory"};
}

std::string expand_home(const std::string& path, const Caller& caller) {
  if (path == "~") return caller.home;
  return path.starts_with("~/") ? caller.home + path.substr(1) : path;
}

Error holds_never_visible(const std::string& configured, const std::string& held, const std::string& where) {
  return refused("sandbox", configured,
                 "it holds " + held + ", which is never shown to a command (" + where + ")",
                 "grant a directory below it");
}

Result<void> add_configured(const Config& config, const char* key, const std::vector<std::string>& paths,
                            bool writable, const HostView& host, Policy& policy) {
  for (const auto& configured : paths) {
    if (configured == "/tmp" && !policy.shares_tmp) continue;  // the slot's own
    const auto wanted = expand_home(configured, policy.caller);
    const auto path = host.resolve(wanted);
    const auto info = path.empty() ? std::nullopt : host.look(path);
    const auto where = std::string(key) + " (" + config.origin_of(key).describe() + ")";
    if (!info)
      return refused("sandbox", configured, "no such path in " + where, "create it, or leave it out");
    if (path == "/")
      return refused("sandbox", configured, "the whole file system cannot be granted by " + where,
                     "name what is needed");
    if (const auto held = never_visible_within(path, policy.caller, host); writable && !held.empty()) {
      return holds_never_visible(configured, held, where);
    }
    policy.grants.push_back({path, *info, writable, where});
  }
  return {};
}

void add_protection(const Config& config, const GitFolders& git, const HostView& host, Policy& policy) {
  policy.protection =
      find_protection(config.security.sandbox.protected_paths, policy.workspace.path, git, host);
  for (const auto& path : policy.protection.read_only) {
    if (const auto info = host.look(path))
      policy.read_only.push_back({path, *info, false, "security.sandbox.protected_paths"});
  }
  const auto& warnings = policy.protection.warnings;
  policy.warnings.insert(policy.warnings.end(), warnings.begin(), warnings.end());
}

GitFolders add_git(const HostView& host, Policy& policy) {
  auto folders = find_git_folders(policy.workspace.path, host);
  for (const auto& folder : folders.outside) {
    if (const auto info = host.look(folder))
      policy.grants.push_back({folder, *info, true, "git's folder of the workspace"});
  }
  policy.warnings.insert(policy.warnings.end(), folders.refused.begin(), folders.refused.end());
  policy.git_config = make_git_config(policy.caller.home, host);
  return folders;
}

Result<void> add_ssh_agent(const Config& config, const HostView& host, Policy& policy) {
  if (!config.security.sandbox.ssh_agent) return {};
  const auto where = config.origin_of("security.sandbox.ssh_agent").describe();
  const auto path = policy.caller.ssh_agent.empty() ? "" : host.resolve(policy.caller.ssh_agent);
  const auto info = path.empty() ? std::nullopt : host.look(path);
  if (!info) {
    return refused("sandbox", "ssh_agent", "SSH_AUTH_SOCK names no socket",
                   "start an ssh agent, or leave ssh_agent out (" + where + ")");
  }
  if (policy.caller.uid == 0 && !policy.allow_root_id) {
    return Error{ErrorKind::unsupported,
                 "sandbox",
                 "ssh_agent",
                 0,
                 "an agent answers only its own user, and a command of root's runs under an id of its own",
                 "run prx as an ordinary user (" + where + ")"};
  }
  policy.ssh_agent = Grant{path, *info, true, "security.sandbox.ssh_agent (" + where + ")"};
  return {};
}

Result<void> add_network(const Config& config, Policy& policy) {
  const auto& rule = config.security.sandbox.allow_network;
  if (const auto* on = std::get_if<bool>(&rule)) {
    policy.network = *on;
    return {};
  }
  if (std::get<std::vector<std::string>>(rule).empty()) return {};
  return Error{
      ErrorKind::unsupported,
      "sandbox",
      "allow_network",
      0,
      "a list of hosts cannot be enforced by this build",
      "set it to false or true (" + config.origin_of("security.sandbox.allow_network").describe() + ")"};
}

bool is_visible(const std::string& directory, const Policy& policy, const HostView& host) {
  const auto path = host.resolve(directory);
  if (path.empty()) return false;
  if (is_system_path(path) || is_within(path, policy.workspace.path)) return true;
  return std::any_of(policy.grants.begin(), policy.grants.end(),
                     [&](const Grant& grant) { return is_within(path, grant.path); });
}

}  // namespace

Result<Policy> make_policy(const Config& config, Caller caller, const HostView& host) {
  const auto& sandbox = config.security.sandbox;
  Policy policy;
  policy.caller = std::move(caller);
  policy.allow_root_id = sandbox.allow_root_id;
  policy.shares_tmp = sandbox.share_tmp;
  PRX_TRY(policy.workspace, find_workspace(policy.caller, host));
  PRX_CHECK(add_network(config, policy));
  PRX_CHECK(
      add_configured(config, "security.sandbox.readonly_paths", sandbox.readonly_paths, false, host, policy));
  PRX_CHECK(
      add_configured(config, "security.sandbox.writable_paths", sandbox.writable_paths, true, host, policy));
  add_protection(config, add_git(host, policy), host, policy);
  PRX_CHECK(add_ssh_agent(config, host, policy));
  for (auto& grant : find_toolchains(policy.caller, host)) policy.grants.push_back(std::move(grant));
  for (const auto& directory : split_path(policy.caller.path)) {
    if (is_visible(directory, policy, host)) policy.path.push_back(directory);
  }
  PRX_TRY(policy.hidden, find_hidden(config, policy, host));
  return policy;
}

}  // namespace prx::sandbox
