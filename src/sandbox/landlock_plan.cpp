#include "sandbox/landlock_plan.hpp"

#include <algorithm>
#include <array>

#include "base/try.hpp"
#include "sandbox/landlock_rights.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/readable_paths.hpp"
#include "sandbox/seccomp_plan.hpp"
#include "sandbox/system_tree.hpp"

namespace prx::sandbox {
namespace {

using protocol::MountFields;
using protocol::PlanFields;
using protocol::PlannedMount;

/// Landlock keeps other programs' terminals apart by nothing but their paths: /dev/pts is not among them.
constexpr std::array<const char*, 6> kDevices{"/dev/null",   "/dev/zero",    "/dev/full",
                                              "/dev/random", "/dev/urandom", "/dev/tty"};
/// The ABI that knows pathname sockets (Linux 7.1).
constexpr int kAbiOfUnixSockets = 9;
constexpr int kAbiOfTcp = 4;
constexpr std::uint64_t kTcp = 3;  // LANDLOCK_ACCESS_NET_BIND_TCP, _CONNECT_TCP

Error cannot_enforce(std::string rule, std::string detail, std::string hint) {
  return {ErrorKind::unsupported, "sandbox", std::move(rule), 0, std::move(detail), std::move(hint)};
}

std::vector<std::string> writable_trees(const Policy& policy) {
  std::vector<std::string> trees{policy.workspace.path};
  for (const auto& grant : policy.grants) {
    if (grant.writable) trees.push_back(grant.path);
  }
  return trees;
}

/// The writable tree that holds it, or empty.
std::string tree_around(const std::string& path, const std::vector<std::string>& trees) {
  const auto found = std::find_if(trees.begin(), trees.end(),
                                  [&](const std::string& tree) { return is_within(path, tree); });
  return found == trees.end() ? std::string() : *found;
}

std::string cannot_inside(const std::string& what, const std::string& path, const std::string& tree) {
  return "the kind landlock cannot keep " + path + " " + what + " inside of " + tree + ", which is writable";
}

constexpr const char* kOtherKinds = "these kinds can: namespaces, bubblewrap, firejail";

void allow(PlanFields& plan, std::string path, std::uint64_t access) {
  if (access != 0) plan.path_rules.push_back({std::move(path), access});
}

void add_system(const Policy& policy, const HostIdentity& identity, const LandlockRights& rights,
                const HostView& host, PlanFields& plan) {
  // Root's own id would read what is kept from everybody else. Of the system's folders only /etc has such files:
  // the others hold programs, and to read them all would take longer than a command.
  const ReadablePaths shown(host, policy.hidden, false);
  const ReadablePaths shown_to_others(host, policy.hidden, identity.uid == 0);
  std::vector<MountFields> folders;
  add_system_tree(host, folders);
  for (const auto& folder : folders) {
    if (folder.kind != PlannedMount::Kind::bind) continue;  // a link leads to one of them
    const auto& paths = folder.target == "/etc" ? shown_to_others : shown;
    for (auto& path : paths.within(folder.target)) allow(plan, std::move(path), rights.read);
  }
  for (const auto* device : kDevices) allow(plan, device, rights.device);
  allow(plan, "/proc", rights.read);
  if (!policy.network) return;
  auto resolver = host.resolve("/etc/resolv.conf");
  if (!resolver.empty() && !is_system_path(resolver)) allow(plan, std::move(resolver), rights.read);
}

void add_granted(const Policy& policy, const LandlockRights& rights, const HostView& host, PlanFields& plan) {
  const ReadablePaths shown(host, policy.hidden, false);
  allow(plan, policy.workspace.path, rights.tree);
  for (const auto& grant : policy.grants) {
    if (grant.writable) {
      allow(plan, grant.path, rights.tree);
      continue;
    }
    for (auto& path : shown.within(grant.path)) allow(plan, std::move(path), rights.read);
  }
}

MountFields entry_of(PlannedMount::Kind kind, std::string target, std::string source, std::uint16_t mode) {
  MountFields entry;
  entry.kind = kind;
  entry.mode = mode;
  entry.source = std::move(source);
  entry.target = std::move(target);
  return entry;
}

/// A home with what the real one is granted of, where programs look for it, and a place for temporary files.
void add_own_folder(const Policy& policy, const LandlockRights& rights, PlanFields& plan) {
  using Kind = PlannedMount::Kind;
  plan.mounts.push_back(entry_of(Kind::directory, "/home", {}, 0700));
  plan.mounts.push_back(entry_of(Kind::directory, "/tmp", {}, 0700));
  if (!policy.git_config.empty())
    plan.mounts.push_back(entry_of(Kind::file, "/home/.gitconfig", policy.git_config, 0644));
  const auto& home = policy.caller.home;
  for (const auto& grant : policy.grants) {
    if (home.empty() || home == "/" || grant.path == home || !is_within(grant.path, home)) continue;
    auto name = grant.path.substr(home.size());
    for (auto slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1)) {
      auto folder = "/home" + name.substr(0, slash);
      const bool there = std::any_of(plan.mounts.begin(), plan.mounts.end(),
                                     [&](const MountFields& entry) { return entry.target == folder; });
      if (!there) plan.mounts.push_back(entry_of(Kind::directory, std::move(folder), {}, 0755));
    }
    plan.mounts.push_back(entry_of(Kind::symlink, "/home" + name, grant.path, 0));
  }
  allow(plan, std::string(protocol::kSlotFolder), rights.tree);
}

}  // namespace

Result<void> check_for_landlock(const Config& config, const Policy& policy) {
  const auto trees = writable_trees(policy);
  for (const auto& path : policy.hidden) {
    if (const auto tree = tree_around(path, trees); !tree.empty())
      return cannot_enforce("hidden_paths", cannot_inside("hidden", path, tree), kOtherKinds);
  }
  for (const auto& grant : policy.grants) {
    if (grant.writable || !grant.reason.starts_with("security.")) continue;
    if (const auto tree = tree_around(grant.path, trees); !tree.empty())
      return cannot_enforce("readonly_paths", cannot_inside("read-only", grant.path, tree), kOtherKinds);
  }
  const auto& wanted = config.security.sandbox.protected_paths;
  if (policy.protected_paths.empty() || wanted == SandboxConfig{}.protected_paths) return {};
  return cannot_enforce(
      "protected_paths",
      cannot_inside("read-only", policy.protected_paths.front(), policy.workspace.path) + " (" +
          config.origin_of("security.sandbox.protected_paths").describe() + ")",
      kOtherKinds);
}

std::string choose_slot_base(const Policy& policy, const std::vector<std::string>& candidates,
                             const HostView& host) {
  for (const auto& candidate : candidates) {
    auto path = host.resolve(candidate);
    const auto info = path.empty() ? std::nullopt : host.look(path);
    if (!info || info->kind != FileKind::directory) continue;
    const bool granted = is_within(path, policy.workspace.path) ||
                         std::any_of(policy.grants.begin(), policy.grants.end(),
                                     [&](const Grant& grant) { return is_within(path, grant.path); });
    if (!granted && !is_system_path(path)) return path;
  }
  return {};
}

void add_landlock_rules(const Policy& policy, const HostIdentity& identity, const KernelFacts& kernel,
                        const HostView& host, PlanFields& plan) {
  const auto rights = landlock_rights(kernel.landlock_abi);
  plan.landlock_fs = rights.all;
  plan.landlock_scoped = rights.scoped;
  if (!policy.network && kernel.landlock_abi >= kAbiOfTcp) plan.landlock_net = kTcp;
  add_system(policy, identity, rights, host, plan);
  add_granted(policy, rights, host, plan);
}

PlanFields plan_landlock(const Policy& policy, const HostIdentity& identity, const std::string& slot_base,
                         const KernelFacts& kernel, const HostView& host) {
  PlanFields plan;
  plan.confinement = protocol::Confinement::landlock;
  plan.uid = identity.uid;
  plan.gid = identity.gid;
  plan.folder = slot_base;
  add_landlock_rules(policy, identity, kernel, host, plan);
  add_own_folder(policy, landlock_rights(kernel.landlock_abi), plan);
  SeccompOptions options;
  options.inet = policy.network ? SeccompOptions::Inet::all : SeccompOptions::Inet::none;
  options.unix_sockets = kernel.landlock_abi >= kAbiOfUnixSockets ? SeccompOptions::Unix::all
                                                                  : SeccompOptions::Unix::pairs;
  options.own_ipc = false;
  options.own_pids = false;
  add_seccomp(options, kernel, plan);
  return plan;
}

}  // namespace prx::sandbox
