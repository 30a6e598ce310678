#include "sandbox/rule.hpp"

#include <algorithm>
#include <array>

#include "sandbox/namespaces_plan.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/system_tree.hpp"

namespace prx::sandbox {
namespace {

using protocol::MountFields;
using protocol::PlannedMount;
using Kind = PlannedMount::Kind;

constexpr std::string_view kHidden = "security.sandbox.hidden_paths";
constexpr std::string_view kProtected = "security.sandbox.protected_paths";
constexpr std::string_view kBuiltIn = " (built-in)";

std::string built_in(std::string_view text) {
  return std::string(text).append(kBuiltIn);
}

bool holds(const std::vector<std::string>& list, const std::string& path) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

/// What the command is given to write to, and loses.
Attribution attribute_private(const MountFields& mount, const Blueprint& blueprint) {
  if (mount.target == blueprint.policy.caller.home)
    return {Rule::private_place, built_in("a HOME of its own")};
  if (mount.target == "/tmp") {
    return {Rule::private_place,
            "a /tmp of its own, " + describe_key(blueprint.config, "security.sandbox.share_tmp")};
  }
  return {Rule::private_place, built_in("a place of its own for temporary files")};
}

Attribution attribute_made_file(const MountFields& mount, const Blueprint& blueprint) {
  if (is_within(mount.target, "/etc")) return {Rule::identity, built_in("who the command is")};
  if (is_within(mount.target, blueprint.policy.caller.home))
    return {Rule::private_place, built_in("git's user, name and e-mail")};
  return {Rule::process_view, built_in("acts on, or tells of, the whole machine")};
}

/// Of the tree around it, but for the one thing that a mount does.
Attribution attribute_held(const MountFields& mount, const Blueprint& blueprint) {
  const auto& policy = blueprint.policy;
  const auto* around = grant_around(mount.target, policy);
  Attribution by{around == &policy.workspace ? Rule::workspace : Rule::granted, {}};
  if (around != nullptr) by.reason = around->reason + "; ";
  by.reason += "held in place for what is protected in it, " + describe_key(blueprint.config, kProtected);
  return by;
}

Attribution attribute_bind(const MountFields& mount, const Blueprint& blueprint) {
  const auto& policy = blueprint.policy;
  const bool writable = (mount.flags & PlannedMount::writable) != 0;
  if (holds(policy.protection.read_only, mount.target) && !writable)
    return {Rule::protected_path, describe_key(blueprint.config, kProtected)};
  if (mount.target == policy.workspace.path) return {Rule::workspace, policy.workspace.reason};
  if (holds(policy.protection.held, mount.target)) return attribute_held(mount, blueprint);
  if (policy.ssh_agent && mount.target == kSshAgentPlace) return {Rule::granted, policy.ssh_agent->reason};
  for (const auto& grant : policy.grants) {
    if (grant.path == mount.target && grant.writable == writable) return {Rule::granted, grant.reason};
  }
  if (is_system_path(mount.target)) return {Rule::system, built_in("programs, libraries and settings")};
  if (is_within(mount.target, "/proc"))
    return {Rule::process_view, built_in("acts on, or tells of, the whole machine")};
  return {Rule::resolver, describe_key(blueprint.config, "security.sandbox.allow_network")};
}

bool is_hidden_entry(const MountFields& mount, const Policy& policy) {
  return (mount.kind == Kind::directory || mount.kind == Kind::file) && holds(policy.hidden, mount.target);
}

/// Means the same to a shell and to TOML, between quotation marks of both.
bool is_plain(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return c == '\'' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
}

}  // namespace

std::string_view to_string(Rule rule) noexcept {
  switch (rule) {
    case Rule::unconfined:
      return "unconfined";
    case Rule::workspace:
      return "workspace";
    case Rule::granted:
      return "granted";
    case Rule::system:
      return "system";
    case Rule::device:
      return "device";
    case Rule::process_view:
      return "process-view";
    case Rule::private_place:
      return "private";
    case Rule::identity:
      return "identity";
    case Rule::resolver:
      return "resolver";
    case Rule::protected_path:
      return "protected";
    case Rule::hidden_path:
      return "hidden";
    case Rule::never_visible:
      return "never-shown";
    case Rule::quarantined:
      return "quarantined";
    case Rule::not_shown:
      return "not-shown";
    case Rule::skeleton:
      return "skeleton";
    case Rule::landlock:
      return "landlock";
    case Rule::permissions:
      return "permissions";
    case Rule::absent:
      return "absent";
  }
  return "not-shown";
}

const Grant* grant_around(const std::string& path, const Policy& policy) {
  const Grant* inner = is_within(path, policy.workspace.path) ? &policy.workspace : nullptr;
  for (const auto& grant : policy.grants) {
    if (!is_within(path, grant.path)) continue;
    if (inner == nullptr || grant.path.size() > inner->path.size()) inner = &grant;
  }
  return inner;
}

const NeverVisible* never_visible_at(const std::string& path, const Policy& policy, const HostView& host) {
  const auto& entries = policy.caller.never_visible;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const NeverVisible& entry) {
    const auto real = host.resolve(entry.path);
    return is_within(path, entry.path) || (!real.empty() && is_within(path, real));
  });
  return found == entries.end() ? nullptr : &*found;
}

std::string describe(const NeverVisible& entry) {
  return entry.what + ", never shown (" + entry.origin + ")";
}

std::string quarantine_reason(const std::string& path, const Blueprint& blueprint) {
  const auto& watched = blueprint.policy.protection.watched;
  const auto place = std::find_if(watched.begin(), watched.end(), [&](const WatchedPlace& each) {
    return is_within(path, join(each.base, each.name));
  });
  if (place == watched.end()) return {};
  std::string reason = "what appears there is moved away when the command ends";
  if (place->harmless != Harmless::nothing)
    reason.append(", unless it is ").append(describe(place->harmless));
  return reason + ": " + describe_key(blueprint.config, kProtected);
}

std::string describe_key(const Config& config, std::string_view key) {
  return std::string(key) + " (" + config.origin_of(key).describe() + ")";
}

Attribution attribute(const MountFields& mount, const Blueprint& blueprint, const HostView& host) {
  if (is_hidden_entry(mount, blueprint.policy)) {
    if (const auto* entry = never_visible_at(mount.target, blueprint.policy, host); entry != nullptr)
      return {Rule::never_visible, describe(*entry)};
    return {Rule::hidden_path, describe_key(blueprint.config, kHidden)};
  }
  switch (mount.kind) {
    case Kind::bind:
      return attribute_bind(mount, blueprint);
    case Kind::directory:
      return attribute_private(mount, blueprint);
    case Kind::file:
      return attribute_made_file(mount, blueprint);
    case Kind::device:
    case Kind::terminals:
      return {Rule::device, built_in("devices that programs need")};
    case Kind::symlink:
      if (is_within(mount.target, "/dev")) return {Rule::device, built_in("devices that programs need")};
      return {Rule::system, built_in("a link of this machine")};
    case Kind::proc:
      return {Rule::process_view, built_in("the sandbox's own processes")};
  }
  return {};
}

Change add_to_list(const Config& config, std::string_view key, const std::vector<std::string>& list,
                   const std::string& path) {
  Change change;
  change.text = "add \"" + path + "\" to " + describe_key(config, key);
  std::string value;
  for (const auto& entry : list) value += "\"" + entry + "\",";
  value += "\"" + path + "\"";
  if (is_plain(value)) change.option = "--set '" + std::string(key) + "=[" + value + "]'";
  return change;
}

Change set_true(const Config& config, std::string_view key) {
  return {"set it to true: " + describe_key(config, key), "--set " + std::string(key) + "=true"};
}

Change show_path(const Config& config, const std::string& path, bool writable) {
  const auto& sandbox = config.security.sandbox;
  return writable ? add_to_list(config, "security.sandbox.writable_paths", sandbox.writable_paths, path)
                  : add_to_list(config, "security.sandbox.readonly_paths", sandbox.readonly_paths, path);
}

}  // namespace prx::sandbox
