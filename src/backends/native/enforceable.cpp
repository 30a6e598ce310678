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

const SandboxConfig& sandbox_of(const Config& config) {
  return config.security.sandbox;
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

/// What nothing in this build enforces.
constexpr std::array kMissing{
    list<&SandboxConfig::require>("security.sandbox.require"),
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
