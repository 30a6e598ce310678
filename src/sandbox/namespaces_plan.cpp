#include "sandbox/namespaces_plan.hpp"

#include <algorithm>
#include <array>

#include "sandbox/landlock_rights.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/seccomp_profile.hpp"
#include "sandbox/system_tree.hpp"

namespace prx::sandbox {
namespace {

using protocol::MountFields;
using protocol::PlanFields;
using protocol::PlannedMount;
using Kind = PlannedMount::Kind;

/// Who a command of a root host sees itself as.
constexpr std::uint32_t kInsideId = 1000;
constexpr std::array<const char*, 3> kScratch{"/tmp", "/var/tmp", "/dev/shm"};

bool maps_ids(const Policy& policy) {
  return policy.caller.uid == 0 && !policy.allow_root_id;
}

MountFields bind_of(const Grant& grant, const Policy& policy) {
  MountFields mount;
  mount.flags = PlannedMount::checked;
  if (grant.writable) mount.flags |= PlannedMount::writable;
  if (maps_ids(policy)) mount.flags |= PlannedMount::owned;
  mount.device = grant.info.device;
  mount.inode = grant.info.inode;
  mount.uid = grant.info.uid;
  mount.gid = grant.info.gid;
  mount.source = mount.target = grant.path;
  return mount;
}

void add_home(const Policy& policy, std::vector<MountFields>& mounts) {
  const auto& home = policy.caller.home;
  if (home.empty() || home == "/" || is_system_path(home)) return;
  mounts.push_back(private_directory(home, 0700));
  if (policy.git_config.empty()) return;
  MountFields config;
  config.kind = Kind::file;
  config.flags = PlannedMount::writable;
  config.mode = 0644;
  config.source = policy.git_config;
  config.target = join(home, ".gitconfig");
  mounts.push_back(std::move(config));
}

/// Outer ones first: an inner one is then placed on top.
std::vector<Grant> in_order(const Policy& policy) {
  auto grants = policy.grants;
  grants.push_back(policy.workspace);
  std::stable_sort(grants.begin(), grants.end(),
                   [](const Grant& a, const Grant& b) { return a.path.size() < b.path.size(); });
  return grants;
}

void add_grants(const Policy& policy, std::vector<MountFields>& mounts) {
  for (const auto& grant : in_order(policy)) {
    if (!grant.writable && is_system_path(grant.path)) continue;
    mounts.push_back(bind_of(grant, policy));
  }
}

/// A folder that is held is what is granted around it, as a mount of its own; outer ones come first.
void add_protected(const Policy& policy, const HostView& host, std::vector<MountFields>& mounts) {
  for (const auto& path : policy.protection.held) {
    if (const auto info = host.look(path)) mounts.push_back(bind_of({path, *info, true, {}}, policy));
  }
  for (const auto& grant : policy.read_only) mounts.push_back(bind_of(grant, policy));
}

/// Where its own place is, something is hidden.
void add_ssh_agent(const Policy& policy, std::vector<MountFields>& mounts) {
  if (!policy.ssh_agent) return;
  auto mount = bind_of(*policy.ssh_agent, policy);
  mount.target = kSshAgentPlace;
  mounts.push_back(std::move(mount));
}

void add_hidden(const Policy& policy, const HostView& host, std::vector<MountFields>& mounts) {
  for (const auto& path : policy.hidden) {
    const auto info = host.look(path);
    if (!info) continue;
    MountFields mount;
    mount.kind = info->kind == FileKind::directory ? Kind::directory : Kind::file;
    mount.flags = PlannedMount::optional;  // nothing to hide where it is not granted
    mount.target = path;
    mounts.push_back(std::move(mount));
  }
}

void add_passwd(const Policy& policy, const HostView& host, std::vector<MountFields>& mounts) {
  if (!maps_ids(policy)) return;
  const auto add = [&](const std::string& path, const std::string& line) {
    if (!host.look(path)) return;
    MountFields mount;
    mount.kind = Kind::file;
    mount.mode = 0444;
    mount.source = line + host.read_text(path);
    mount.target = path;
    mounts.push_back(std::move(mount));
  };
  const auto id = std::to_string(kInsideId);
  add("/etc/passwd", "prx:x:" + id + ":" + id + ":prx:" + policy.caller.home + ":/bin/sh\n");
  add("/etc/group", "prx:x:" + id + ":\n");
}

void add_resolver(const Policy& policy, const HostView& host, std::vector<MountFields>& mounts) {
  if (!policy.network) return;
  const auto real = host.resolve("/etc/resolv.conf");
  if (real.empty() || is_system_path(real)) return;
  MountFields mount;
  mount.source = mount.target = real;
  mounts.push_back(std::move(mount));
}

void add_landlock(const KernelFacts& kernel, PlanFields& plan) {
  const auto rights = landlock_rights(kernel.landlock_abi);
  if (rights.all == 0) return;
  plan.landlock_fs = rights.all;
  plan.landlock_scoped = rights.scoped;
  plan.path_rules.push_back({"/", rights.read});
  plan.path_rules.push_back({"/dev", rights.device});
  plan.path_rules.push_back({"/proc", rights.device});
  for (const auto* path : kScratch) plan.path_rules.push_back({path, rights.all});
  for (const auto& mount : plan.mounts) {
    const bool directory = mount.kind == Kind::bind || mount.kind == Kind::directory;
    const bool writable = (mount.flags & PlannedMount::writable) != 0;
    const bool scratch = std::find(kScratch.begin(), kScratch.end(), mount.target) != kScratch.end();
    if (directory && writable && !scratch) plan.path_rules.push_back({mount.target, rights.all});
  }
}

void add_seccomp(const KernelFacts& kernel, PlanFields& plan) {
  const auto program = seccomp_program({.observe = kernel.has_listener});
  plan.observe = program.wants_listener;
  plan.filter.assign(reinterpret_cast<const char*>(program.filter.data()),
                     program.filter.size() * sizeof(sock_filter));
}

}  // namespace

PlanFields plan_namespaces(const Policy& policy, const KernelFacts& kernel, const HostView& host) {
  PlanFields plan;
  plan.confinement = protocol::Confinement::namespaces;
  plan.own_network = !policy.network;
  plan.high_id = maps_ids(policy);
  plan.uid = policy.caller.uid == 0 ? kInsideId : policy.caller.uid;
  plan.gid = policy.caller.uid == 0 ? kInsideId : policy.caller.gid;
  add_system_tree(host, plan.mounts);
  add_proc(host, plan.mounts);
  add_devices(host, plan.mounts);
  if (!policy.shares_tmp) plan.mounts.push_back(private_directory("/tmp", 01777));
  plan.mounts.push_back(private_directory("/var/tmp", 01777));
  add_passwd(policy, host, plan.mounts);
  add_home(policy, plan.mounts);
  add_resolver(policy, host, plan.mounts);
  add_grants(policy, plan.mounts);
  add_protected(policy, host, plan.mounts);
  add_hidden(policy, host, plan.mounts);
  add_ssh_agent(policy, plan.mounts);
  add_landlock(kernel, plan);
  add_seccomp(kernel, plan);
  return plan;
}

}  // namespace prx::sandbox
