#include "sandbox/access.hpp"

#include <linux/landlock.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sandbox/file_identity.hpp"
#include "sandbox/filter_reading.hpp"
#include "sandbox/namespaces_plan.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/slot_tree.hpp"
#include "sandbox/toolchains.hpp"

namespace prx::sandbox {
namespace {

using protocol::MountFields;
using protocol::PlannedMount;
using Kind = PlannedMount::Kind;

constexpr unsigned kAnyoneMayExecute = 0111;
constexpr std::array<std::string_view, 3> kOperations{"read", "write", "exec"};

/// One question, while it is answered: each step either decides or leaves it to the next.
class Judge {
 public:
  Judge(const Blueprint& blueprint, Operation operation, const HostView& host)
      : blueprint_(blueprint), operation_(operation), host_(host), identity_(blueprint) {}

  Verdict operator()(const std::string& path) {
    const SlotTree tree(blueprint_.plan, host_);
    const auto at = tree.find(path, [this](const SlotPath& folder) { pass(folder); });
    verdict_.path = at.path;
    if (decided_) return verdict_;
    if (at.is_loop) return refuse(ELOOP, Rule::absent, "its links lead in a circle");
    if (!at.exists) {
      if (!may_be_made(at)) return refuse_missing(path, at);
      pass_read_only(at);
    } else {
      pass_hidden(at);
      if (operation_ == Operation::write) pass_read_only(at);
      if (at.info) pass_permissions(at);
    }
    pass_landlock(at);
    return decided_ ? verdict_ : allow(at);
  }

 private:
  Verdict& refuse(int error, Rule rule, std::string reason, Change change = {}) {
    if (decided_) return verdict_;
    decided_ = true;
    verdict_.error = error;
    verdict_.rule = rule;
    verdict_.reason = std::move(reason);
    verdict_.change = std::move(change);
    return verdict_;
  }

  Verdict& allow(const SlotPath& at) {
    verdict_.allowed = true;
    if (auto quarantine = quarantine_reason(at.path, blueprint_); !at.exists && !quarantine.empty()) {
      verdict_.rule = Rule::quarantined;
      verdict_.reason = std::move(quarantine);
      return verdict_;
    }
    if (at.mount == nullptr) {
      verdict_.rule = blueprint_.plan.mounts.empty() ? Rule::landlock : Rule::skeleton;
      verdict_.reason = blueprint_.plan.mounts.empty() ? landlock_reason(at.path)
                                                       : "a folder that holds what the sandbox shows";
      return verdict_;
    }
    const auto by = attribute(*at.mount, blueprint_, host_);
    verdict_.rule = by.rule;
    verdict_.reason = by.reason;
    if (by.rule == Rule::private_place) verdict_.reason += ": not the host's, and gone with the command";
    return verdict_;
  }

  [[nodiscard]] bool may_be_made(const SlotPath& at) const {
    return operation_ == Operation::write && at.parent_exists;
  }

  /// A folder on the way has to let the command through.
  void pass(const SlotPath& folder) {
    pass_hidden(folder);
    if (folder.info && !identity_.may(folder, kSearch)) refuse_by_owner(folder);
  }

  /// Shown, but as something empty that nobody may open.
  void pass_hidden(const SlotPath& at) {
    if (at.mount == nullptr || at.mount->mode != 0 || at.mount->target != at.path) return;
    if (at.mount->kind != Kind::directory && at.mount->kind != Kind::file) return;
    const auto by = attribute(*at.mount, blueprint_, host_);
    Change change;
    if (by.rule == Rule::hidden_path) change.text = "take what matches it out of " + by.reason;
    if (by.rule == Rule::never_visible)
      change = change_of(*never_visible_at(at.path, blueprint_.policy, host_));
    refuse(EACCES, by.rule, "hidden: " + by.reason, std::move(change));
  }

  void pass_read_only(const SlotPath& at) {
    if (at.mount == nullptr) {
      if (blueprint_.plan.mounts.empty()) return;
      refuse(EROFS, Rule::skeleton, "read-only: a folder that only holds what the sandbox shows",
             show_path(blueprint_.config, at.path, true));
      return;
    }
    const bool is_made = at.mount->kind == Kind::proc || at.mount->kind == Kind::terminals;
    if (is_made || (at.mount->flags & PlannedMount::writable) != 0) return;
    const auto by = attribute(*at.mount, blueprint_, host_);
    refuse(EROFS, by.rule, "read-only: " + by.reason, change_of_read_only(by, at));
  }

  [[nodiscard]] Change change_of_read_only(const Attribution& by, const SlotPath& at) const {
    if (by.rule == Rule::process_view || by.rule == Rule::identity) return {};
    if (by.rule != Rule::protected_path) return show_path(blueprint_.config, at.path, true);
    return {"take it out of " + by.reason, {}};
  }

  void pass_permissions(const SlotPath& at) {
    const bool makes_entry = !at.exists;
    if (makes_entry || identity_.may(at, wanted_bits())) return;
    refuse_by_owner(at);
  }

  void refuse_by_owner(const SlotPath& at) {
    const auto owner = "owner " + std::to_string(at.info->uid) + ", mode " + octal(at.info->mode);
    const bool is_no_program = operation_ == Operation::execute && at.info->kind == FileKind::file &&
                               (at.info->mode & kAnyoneMayExecute) == 0;
    if (!identity_.is_own() || identity_.owns(at) || is_no_program) {
      refuse(EACCES, Rule::permissions, "its own permissions forbid it, with or without a sandbox: " + owner);
      return;
    }
    Change change;
    if (at.info->uid == 0)
      change.text = "set " + describe_key(blueprint_.config, "security.sandbox.allow_root_id") +
                    " to true: the command then has root's id";
    refuse(EACCES, Rule::identity,
           "the command is nobody on this machine, and this is not for everybody: " + owner,
           std::move(change));
  }

  void pass_landlock(const SlotPath& at) {
    if (decided_ || blueprint_.plan.landlock_fs == 0) return;
    if ((rights_at(at.path) & wanted_rights()) == wanted_rights()) return;
    const bool writable = operation_ == Operation::write;
    refuse(EACCES, Rule::landlock, "nothing grants it", show_path(blueprint_.config, at.path, writable));
  }

  [[nodiscard]] std::uint64_t rights_at(const std::string& path) const {
    std::uint64_t rights = 0;
    for (const auto& rule : blueprint_.plan.path_rules) {
      if (is_within(path, rule.path)) rights |= rule.access;
    }
    return rights;
  }

  [[nodiscard]] std::uint64_t wanted_rights() const {
    switch (operation_) {
      case Operation::read:
        return LANDLOCK_ACCESS_FS_READ_FILE;
      case Operation::write:
        return LANDLOCK_ACCESS_FS_WRITE_FILE;
      case Operation::execute:
        break;
    }
    return LANDLOCK_ACCESS_FS_EXECUTE;
  }

  [[nodiscard]] std::string landlock_reason(const std::string& path) const {
    const auto* grant = grant_around(path, blueprint_.policy);
    return grant == nullptr ? "what every command may use (built-in)" : grant->reason;
  }

  Verdict& refuse_absent(const SlotPath& at) {
    std::string reason = "it does not exist, with or without a sandbox";
    if (operation_ != Operation::write) return refuse(ENOENT, Rule::absent, std::move(reason));
    const auto quarantine = quarantine_reason(at.path, blueprint_);
    if (!quarantine.empty()) reason += "; " + quarantine;
    return refuse(ENOENT, Rule::absent, std::move(reason));
  }

  [[nodiscard]] Change change_of(const NeverVisible& entry) const {
    return entry.key.empty() ? Change{} : set_true(blueprint_.config, entry.key);
  }

  Verdict& refuse_missing(const std::string& path, const SlotPath& at) {
    const auto outside = on_host(path);
    if (outside.empty()) return refuse_absent(at);
    const auto& policy = blueprint_.policy;
    if (const auto* entry = never_visible_at(outside, policy, host_); entry != nullptr)
      return refuse(ENOENT, Rule::never_visible, describe(*entry), change_of(*entry));
    if (policy.ssh_agent && outside == policy.ssh_agent->path)
      return refuse(ENOENT, Rule::not_shown,
                    std::string("the sandbox has it at ") + kSshAgentPlace + ": " + policy.ssh_agent->reason);
    const bool writable = operation_ == Operation::write;
    const auto change = show_path(blueprint_.config, outside, writable);
    const std::string what = writable && outside != host_.resolve(path) ? "the folder for it" : "it";
    if (at.mount == nullptr || at.mount->kind != Kind::directory)
      return refuse(ENOENT, Rule::not_shown,
                    what + " exists on the host, and nothing shows it in the sandbox", change);
    const auto by = attribute(*at.mount, blueprint_, host_);
    return refuse(ENOENT, by.rule, what + " exists on the host; the sandbox has " + by.reason, change);
  }

  /// Where `path` leads on the host: itself, or for what is to be made the folder that would hold it.
  [[nodiscard]] std::string on_host(const std::string& path) const {
    const auto wanted = operation_ == Operation::write && !host_.look(path) ? parent_of(path) : path;
    return wanted == "/" ? std::string() : host_.resolve(wanted);
  }

  [[nodiscard]] unsigned wanted_bits() const {
    switch (operation_) {
      case Operation::read:
        return kRead;
      case Operation::write:
        return kWrite;
      case Operation::execute:
        break;
    }
    return kSearch;
  }

  const Blueprint& blueprint_;
  const Operation operation_;
  const HostView& host_;
  const FileIdentity identity_;
  Verdict verdict_;
  bool decided_ = false;
};

}  // namespace

std::string_view to_string(Operation operation) noexcept {
  return kOperations.at(static_cast<std::size_t>(operation));
}

std::optional<Operation> operation_named(std::string_view name) noexcept {
  const auto* const at = std::find(kOperations.begin(), kOperations.end(), name);
  if (at == kOperations.end()) return std::nullopt;
  return static_cast<Operation>(at - kOperations.begin());
}

Verdict judge(const Blueprint& blueprint, const std::string& path, Operation operation,
              const HostView& host) {
  return Judge(blueprint, operation, host)(path);
}

Verdict judge_removal(const Blueprint& blueprint, const std::string& path, const HostView& host) {
  constexpr std::string_view kProtected = "security.sandbox.protected_paths";
  const auto at = SlotTree(blueprint.plan, host).find(path);
  Verdict verdict;
  verdict.path = at.path;
  if (at.mount == nullptr || at.mount->target != at.path || at.mount->kind == Kind::symlink) {
    verdict.allowed = true;
    return verdict;
  }
  auto by = attribute(*at.mount, blueprint, host);
  const auto& held = blueprint.policy.protection.held;
  if (std::find(held.begin(), held.end(), at.path) != held.end())
    by = {Rule::protected_path, describe_key(blueprint.config, kProtected)};
  if (by.rule == Rule::protected_path) verdict.change.text = "take it out of " + by.reason;
  verdict.error = EBUSY;
  verdict.rule = by.rule;
  verdict.reason = "a mount of its own: " + by.reason;
  return verdict;
}

Verdict judge_network(const Blueprint& blueprint) {
  constexpr std::string_view kKey = "security.sandbox.allow_network";
  Verdict verdict;
  verdict.allowed = !blueprint.plan.own_network && !refuses_network(blueprint.plan.filter);
  verdict.rule = verdict.allowed ? Rule::granted : Rule::not_shown;
  verdict.reason = describe_key(blueprint.config, kKey);
  if (verdict.allowed) return verdict;
  verdict.error = ENETUNREACH;
  verdict.reason = "the sandbox has no network but its own loopback: " + verdict.reason;
  verdict.change = set_true(blueprint.config, kKey);
  return verdict;
}

FoundProgram find_program(const Blueprint& blueprint, const std::string& name, const HostView& host) {
  FoundProgram found;
  for (const auto& directory : blueprint.policy.path) {
    const auto path = join(directory, name);
    if (!judge(blueprint, path, Operation::execute, host).allowed) continue;
    found.inside = path;
    break;
  }
  for (const auto& directory : split_path(blueprint.policy.caller.path)) {
    const auto real = host.resolve(join(directory, name));
    const auto info = real.empty() ? std::nullopt : host.look(real);
    if (!info || info->kind != FileKind::file || (info->mode & kAnyoneMayExecute) == 0) continue;
    found.outside = join(directory, name);
    break;
  }
  return found;
}

Change show_program(const Blueprint& blueprint, const std::string& outside) {
  return show_path(blueprint.config, parent_of(outside), false);
}

}  // namespace prx::sandbox
