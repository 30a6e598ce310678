#include "sandbox/description.hpp"

#include <fmt/format.h>
#include <linux/filter.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "sandbox/access.hpp"
#include "sandbox/filter_reading.hpp"
#include "sandbox/namespaces_plan.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/rule.hpp"
#include "sandbox/seccomp_profile.hpp"

namespace prx::sandbox {
namespace {

using protocol::Confinement;
using protocol::MountFields;
using protocol::PlannedMount;
using Kind = PlannedMount::Kind;

/// LANDLOCK_ACCESS_FS_* by bit (landlock(7)).
constexpr std::array<std::string_view, 16> kRights{"execute",    "write_file",  "read_file", "read_dir",
                                                   "remove_dir", "remove_file", "make_char", "make_dir",
                                                   "make_reg",   "make_sock",   "make_fifo", "make_block",
                                                   "make_sym",   "refer",       "truncate",  "ioctl_dev"};

struct KnownLimit {
  std::string_view name;  // as EnforcedLimit::limit
  std::string_view key;
};
constexpr std::array<KnownLimit, 5> kLimits{{
    {"memory", "security.resources.max_memory_mb"},
    {"cpu_time", "security.resources.max_cpu_time_seconds"},
    {"subprocesses", "security.resources.max_subprocesses"},
    {"open_files", "security.resources.max_open_files"},
    {"file_size", "security.resources.max_file_size_mb"},
}};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string_view access_of(const MountFields& mount, Rule rule) {
  if (rule == Rule::hidden_path || rule == Rule::never_visible) return "hidden";
  switch (mount.kind) {
    case Kind::bind:
      return (mount.flags & PlannedMount::writable) != 0 ? "writable" : "read-only";
    case Kind::device:
      return "device";
    case Kind::directory:
      return "private";
    case Kind::file:
      return mount.mode == 0 ? "hidden" : "made";
    case Kind::symlink:
      return "link";
    case Kind::proc:
    case Kind::terminals:
      break;
  }
  return "made";
}

MountLine line_of(const MountFields& mount, const Blueprint& blueprint, const HostView& host) {
  auto by = attribute(mount, blueprint, host);
  const bool shows_host =
      mount.kind == Kind::bind || mount.kind == Kind::device || mount.kind == Kind::symlink;
  return {std::string(access_of(mount, by.rule)), mount.target, shows_host ? mount.source : std::string(),
          std::string(to_string(by.rule)), std::move(by.reason)};
}

Fact identity_fact(const Blueprint& blueprint) {
  const auto& plan = blueprint.plan;
  auto value = fmt::format("uid {}, gid {}", plan.uid, plan.gid);
  value += plan.high_id ? "; outside an id that nobody else has" : "; outside the caller's own";
  if (blueprint.policy.caller.uid != 0) return {"identity", std::move(value), "built-in"};
  return {"identity", std::move(value), describe_key(blueprint.config, "security.sandbox.allow_root_id")};
}

Fact network_fact(const Blueprint& blueprint) {
  const auto key = describe_key(blueprint.config, "security.sandbox.allow_network");
  if (judge_network(blueprint).allowed) return {"network", "the host's", key};
  return {"network", blueprint.plan.own_network ? "none but a loopback of its own" : "none", key};
}

Fact ssh_agent_fact(const Blueprint& blueprint) {
  return {"ssh agent", blueprint.policy.ssh_agent ? kSshAgentPlace : "not shown",
          describe_key(blueprint.config, "security.sandbox.ssh_agent")};
}

Fact quarantine_fact(const Blueprint& blueprint) {
  const auto& folder = blueprint.policy.caller.quarantine;
  return {"quarantine", folder.empty() ? "none: what appears at a watched place is renamed there" : folder,
          "prx's state folder"};
}

Fact namespaces_fact(const Blueprint& blueprint) {
  if (blueprint.plan.confinement != Confinement::namespaces) return {"namespaces", "none", "built-in"};
  std::string value = "mount pid ipc uts cgroup user";
  if (blueprint.plan.own_network) value += " network";
  return {"namespaces", std::move(value), "built-in"};
}

Fact seccomp_fact(const Blueprint& blueprint) {
  const auto& plan = blueprint.plan;
  if (plan.filter.empty()) return {"seccomp", "none", "built-in"};
  return {"seccomp",
          fmt::format("a list of what is allowed, {} instructions; denials are {}",
                      plan.filter.size() / sizeof(sock_filter), plan.observe ? "counted" : "not counted"),
          "built-in"};
}

Fact landlock_fact(const Blueprint& blueprint) {
  const auto& plan = blueprint.plan;
  if (plan.landlock_fs == 0) return {"landlock", "none: the kernel has it not", "built-in"};
  return {
      "landlock",
      fmt::format("{} rules{}", plan.path_rules.size(),
                  plan.landlock_scoped != 0 ? "; no signal and no abstract socket beyond the sandbox" : ""),
      "built-in"};
}

std::string rights_text(std::uint64_t rights, std::uint64_t handled) {
  if (rights == handled) return "everything";
  std::vector<std::string> names;
  for (std::size_t bit = 0; bit < kRights.size(); ++bit) {
    if ((rights >> bit & 1U) != 0) names.emplace_back(kRights.at(bit));
  }
  return joined(names);
}

std::string size_of(Bytes bytes) {
  constexpr std::uint64_t kMebibyte = 1U << 20U;
  if (bytes.value % kMebibyte == 0) return fmt::format("{} MiB", bytes.value / kMebibyte);
  return fmt::format("{} bytes", bytes.value);
}

/// What was asked for. A stricter limit of prx's own process holds all the same.
std::string value_of(std::string_view name, const ResourceConfig& resources, const LimitPlan& limits) {
  if (name == "memory") return size_of(resources.max_memory);
  if (name == "file_size") return size_of(resources.max_file_size);
  if (name == "subprocesses") return std::to_string(resources.max_subprocesses);
  if (name == "open_files") return std::to_string(resources.max_open_files);
  return fmt::format("{} s{}", resources.max_cpu_time.count(),
                     limits.watch.terminals ? "" : "; none with a terminal");
}

std::string inherited_note(std::string_view name, std::uint64_t wanted, const LimitPlan& limits) {
  const int resource = name == "open_files" ? RLIMIT_NOFILE : RLIMIT_FSIZE;
  for (const auto& limit : limits.rlimits) {
    if (limit.resource == resource && limit.soft < wanted) return fmt::format("; inherited, {}", limit.soft);
  }
  return {};
}

LimitLine line_of(const KnownLimit& known, const Config& config, const LimitPlan& limits) {
  const auto& resources = config.security.resources;
  LimitLine line{std::string(known.name), "none", "", describe_key(config, known.key)};
  const auto enforced = std::find_if(limits.enforced.begin(), limits.enforced.end(),
                                     [&](const EnforcedLimit& limit) { return limit.limit == known.name; });
  if (enforced == limits.enforced.end()) return line;
  line.by = enforced->by;
  line.value = value_of(known.name, resources, limits);
  if (known.name == "open_files") line.value += inherited_note(known.name, resources.max_open_files, limits);
  if (known.name == "file_size")
    line.value += inherited_note(known.name, resources.max_file_size.value, limits);
  return line;
}

}  // namespace

Description describe_plan(const Blueprint& blueprint, const HostView& host) {
  const auto& plan = blueprint.plan;
  Description description;
  description.facts = {
      {"workspace", blueprint.policy.workspace.path, blueprint.policy.workspace.reason},
      identity_fact(blueprint),
      {"capabilities", "none, and none can be gained (no_new_privs)", "built-in"},
      namespaces_fact(blueprint),
      network_fact(blueprint),
      ssh_agent_fact(blueprint),
      quarantine_fact(blueprint),
      seccomp_fact(blueprint),
      landlock_fact(blueprint),
  };
  for (const auto& mount : plan.mounts) description.mounts.push_back(line_of(mount, blueprint, host));
  const auto by_protection = describe_key(blueprint.config, "security.sandbox.protected_paths");
  for (const auto& place : blueprint.policy.protection.watched) {
    description.watched.push_back(
        {join(place.base, place.name), std::string(describe(place.harmless)), by_protection});
  }
  for (const auto& entry : blueprint.policy.caller.never_visible)
    description.never_visible.push_back({entry.path, entry.what, entry.origin});
  for (const auto& refused : refused_calls(plan.filter)) {
    description.calls.push_back({std::string(protocol::to_string(refused.rule)),
                                 std::string(describe(refused.rule)), joined(refused.calls)});
  }
  for (const auto& rule : plan.path_rules)
    description.landlock.push_back({rule.path, rights_text(rule.access, plan.landlock_fs)});
  return description;
}

std::vector<LimitLine> describe_limits(const Config& config, const LimitPlan& limits) {
  std::vector<LimitLine> lines;
  for (const auto& known : kLimits) lines.push_back(line_of(known, config, limits));
  lines.push_back({"core_files", "0", "rlimit", "built-in"});
  return lines;
}

}  // namespace prx::sandbox
