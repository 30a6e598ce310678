#include "backends/native/enforceable.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace prx::backends {
namespace {

struct Rule {
  std::string_view key;
  /// Whether the value, set or not, is more than no rule at all.
  bool (*restricts)(const Config& config);
  /// Whether it is another one than the default: a program sets fields, which have no origin.
  bool (*is_changed)(const Config& config);
};

const Config& defaults() {
  static const Config config;
  return config;
}

const ResourceConfig& resources_of(const Config& config) {
  return config.security.resources;
}
const SandboxConfig& sandbox_of(const Config& config) {
  return config.security.sandbox;
}

/// A limit, of which zero is none.
template <auto kMember>
constexpr Rule limit(std::string_view key) {
  return {key,
          [](const Config& config) {
            const auto value = resources_of(config).*kMember;
            return value != decltype(value){};
          },
          [](const Config& config) {
            return resources_of(config).*kMember != resources_of(defaults()).*kMember;
          }};
}

/// A list, of which the empty one is no rule.
template <auto kMember>
constexpr Rule list(std::string_view key) {
  return {
      key, [](const Config& config) { return !(sandbox_of(config).*kMember).empty(); },
      [](const Config& config) { return sandbox_of(config).*kMember != sandbox_of(defaults()).*kMember; }};
}

bool network_is_restricted(const Config& config) {
  const auto* all = std::get_if<bool>(&sandbox_of(config).allow_network);
  return all == nullptr || !*all;
}

bool network_is_changed(const Config& config) {
  return sandbox_of(config).allow_network != sandbox_of(defaults()).allow_network;
}

bool audit_is_on(const Config& config) {
  return config.security.audit.enabled;
}

/// What nothing in this build enforces.
constexpr std::array kMissing{
    limit<&ResourceConfig::max_memory>("security.resources.max_memory_mb"),
    limit<&ResourceConfig::max_cpu_time>("security.resources.max_cpu_time_seconds"),
    limit<&ResourceConfig::max_subprocesses>("security.resources.max_subprocesses"),
    limit<&ResourceConfig::max_open_files>("security.resources.max_open_files"),
    limit<&ResourceConfig::max_file_size>("security.resources.max_file_size_mb"),
    Rule{"security.audit.enabled", audit_is_on, audit_is_on},
};

/// What only a sandbox can.
constexpr std::array kOfSandbox{
    Rule{"security.sandbox.allow_network", network_is_restricted, network_is_changed},
    list<&SandboxConfig::readonly_paths>("security.sandbox.readonly_paths"),
    list<&SandboxConfig::hidden_paths>("security.sandbox.hidden_paths"),
};

/// The file of `prx config init` has the default list in it: only another one is a wish.
constexpr Rule kProtectedPaths = list<&SandboxConfig::protected_paths>("security.sandbox.protected_paths");

const Rule* first_wish(const Config& config, std::span<const Rule> rules) {
  for (const Rule& rule : rules) {
    const bool is_wanted = config.is_set(rule.key) || rule.is_changed(config);
    if (is_wanted && rule.restricts(config)) return &rule;
  }
  return nullptr;
}

const Rule* first_wish_of_sandbox(const Config& config) {
  if (const Rule* rule = first_wish(config, kOfSandbox)) return rule;
  const bool is_own_list = kProtectedPaths.is_changed(config) && kProtectedPaths.restricts(config);
  return is_own_list ? &kProtectedPaths : nullptr;
}

Error refusal(const Config& config, std::string_view key, std::string detail, const std::string& remedy) {
  return {ErrorKind::unsupported, "config",
          std::string(key),       0,
          std::move(detail),      remedy + " (it is set by " + config.origin_of(key).describe() + ")"};
}

}  // namespace

Result<void> check_enforceable(const Config& config) {
  if (const Rule* rule = first_wish(config, kMissing)) {
    return refusal(config, rule->key, "this build cannot hold a command to it yet",
                   "remove it until a build can");
  }
  if (sandbox_of(config).backend != SandboxChoice::none) return {};
  if (const Rule* rule = first_wish_of_sandbox(config)) {
    return refusal(config, rule->key, "without a sandbox a command cannot be held to it",
                   "remove it, or security.sandbox.backend = \"none\"");
  }
  return {};
}

}  // namespace prx::backends
