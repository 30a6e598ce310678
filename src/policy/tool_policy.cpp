#include "policy/tool_policy.hpp"

#include <algorithm>
#include <utility>

#include "base/printable.hpp"
#include "base/try.hpp"
#include "io/json_value.hpp"
#include "policy/command_match.hpp"

namespace prx::policy {
namespace {

constexpr std::string_view kShell = "shell";

int strictness(ToolRule rule) {
  switch (rule) {
    case ToolRule::allow:
      return 0;
    case ToolRule::supervised:
      return 1;
    case ToolRule::deny:
      return 2;
  }
  return 2;
}

std::string in_words(const WordList& words) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += ' ';
    text += word ? base::printable(*word) : "…";
    if (text.size() > 200) return text.substr(0, 200) + " …";
  }
  return text;
}

/// The strictest of all decisions about parts of one request.
void keep_stricter(Decision& kept, Decision other) {
  if (strictness(other.rule) > strictness(kept.rule)) kept = std::move(other);
}

}  // namespace

Result<ToolPolicy> ToolPolicy::make(const Config& config) {
  const auto& from = config.security.tool_policy;
  const auto rule_at = [&](std::string name, ToolRule rule) {
    return Rule{{}, rule, name, config.origin_of(name).describe()};
  };
  ToolPolicy policy;
  policy.shell_ = config.runtime.native.shell;
  policy.default_ = rule_at("security.tool_policy.default", from.default_rule);
  for (const auto& [group, rule] : from.groups) {
    policy.groups_.emplace(group, rule_at("security.tool_policy.groups." + group, rule));
  }
  for (const auto& [text, rule] : from.tools) {
    PRX_TRY(auto key, read_rule_key(text));
    const bool is_bare =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
        std::string::npos;
    auto made = rule_at("security.tool_policy.tools." + (is_bare ? text : "\"" + text + "\""), rule);
    policy.restricts_commands_ |= key.is_of_command() && rule != ToolRule::allow;
    made.key = std::move(key);
    policy.rules_.push_back(std::move(made));
  }
  for (const auto& [name, tool] : config.custom_tools) {
    policy.groups_of_tools_.emplace(name, tool.group.empty() ? "custom" : tool.group);
  }
  return policy;
}

bool ToolPolicy::allows_all() const noexcept {
  const auto allows = [](const auto& rule) { return rule.rule == ToolRule::allow; };
  return allows(default_) && std::all_of(rules_.begin(), rules_.end(), allows) &&
         std::all_of(groups_.begin(), groups_.end(), [&](const auto& group) { return allows(group.second); });
}

std::string ToolPolicy::group_of(std::string_view tool) const {
  if (tool == kShell) return "builtin";
  if (const auto found = groups_of_tools_.find(tool); found != groups_of_tools_.end()) return found->second;
  return tool.starts_with("mcp__") ? "mcp" : "custom";
}

Decision ToolPolicy::of_rule(const Rule& rule, std::string reason) const {
  return {rule.rule, rule.name, rule.where, std::move(reason)};
}

Decision ToolPolicy::decide_tool(std::string_view tool) const {
  const Rule* best = nullptr;
  for (const auto& rule : rules_) {
    if (rule.key.is_of_command() || !rule.key.argument.empty() || !rule.key.matches_tool(tool)) continue;
    const auto weight = [](const Rule& one) {
      return std::pair(!one.key.tool_is_prefix, one.key.tool.size());
    };
    if (best == nullptr || weight(rule) > weight(*best)) best = &rule;
  }
  if (best != nullptr) return of_rule(*best, {});
  const auto group = groups_.find(group_of(tool));
  return of_rule(group != groups_.end() ? group->second : default_, {});
}

/// Rules about an argument are more specific than those about the tool.
Decision ToolPolicy::decide_arguments(const ExecutionRequest& request, Decision fallback) const {
  const Rule* best = nullptr;
  io::JsonValue arguments;
  for (const auto& rule : rules_) {
    if (rule.key.argument.empty() || rule.key.tool != request.tool) continue;
    if (arguments.is_null()) arguments = io::JsonValue::parse_or_null(request.tool_arguments);
    const auto value = arguments[rule.key.argument];
    if (value.is_null() || !matches_glob(rule.key.glob, value.is_text() ? value.text() : value.json()))
      continue;
    const auto weight = [](const Rule& one) { return std::pair(one.key.glob.size(), strictness(one.rule)); };
    if (best == nullptr || weight(rule) > weight(*best)) best = &rule;
  }
  return best == nullptr ? std::move(fallback) : of_rule(*best, "its argument " + best->key.argument);
}

/// The most specific rule wins, the stricter one a tie. One that only might be meant makes it supervised.
Decision ToolPolicy::decide_seen(const SeenCommand& command, const Decision& fallback) const {
  const Rule* best = nullptr;
  const Rule* possible = nullptr;
  const auto weight = [](const Rule& one) {
    return std::tuple(one.key.words.size(), !one.key.words_are_prefix, strictness(one.rule));
  };
  for (const auto& rule : rules_) {
    if (!rule.key.is_of_command()) continue;
    const Match match = rule.rule == ToolRule::allow ? matches_exactly(rule.key, command.words)
                                                     : matches_broadly(rule.key, command.words);
    if (match == Match::yes && (best == nullptr || weight(rule) > weight(*best))) best = &rule;
    if (match == Match::maybe && (possible == nullptr || weight(rule) > weight(*possible))) possible = &rule;
  }
  Decision decision = best == nullptr ? fallback : of_rule(*best, in_words(command.words));
  if (decision.reason.empty() && decision.rule != ToolRule::allow) decision.reason = in_words(command.words);
  const bool is_named = best != nullptr && best->rule == ToolRule::allow;
  if (possible != nullptr && (best == nullptr || weight(*possible) > weight(*best))) {
    keep_stricter(decision, {ToolRule::supervised, possible->name, possible->where,
                             "could be meant by it: " + in_words(command.words)});
  }
  if (restricts_commands_ && !command.launches.empty() && !is_named) {
    keep_stricter(decision, {ToolRule::supervised, "security.tool_policy.tools", "built-in",
                             command.launches + ", and no rule allows it by name"});
  }
  return decision;
}

Decision ToolPolicy::decide_command(const ExecutionRequest& request, const Decision& fallback) const {
  const bool has_rules =
      std::any_of(rules_.begin(), rules_.end(), [](const Rule& rule) { return rule.key.is_of_command(); });
  if (!has_rules) return fallback;
  const auto examination = examine(request.command, shell_);
  // Nothing was seen: what holds for the tool itself.
  const bool is_blind = examination.commands.empty();
  Decision decision = is_blind ? fallback : decide_seen(examination.commands.front(), fallback);
  for (const auto& command : examination.commands) keep_stricter(decision, decide_seen(command, fallback));
  const bool is_restricted = restricts_commands_ || fallback.rule != ToolRule::allow;
  if (is_restricted && !examination.unseen.empty()) {
    Decision hidden = fallback;
    hidden.reason = examination.unseen.front();
    keep_stricter(hidden, {ToolRule::supervised, "security.tool_policy.tools", "built-in",
                           "what it runs is not plain to see: " + examination.unseen.front()});
    keep_stricter(decision, std::move(hidden));
  }
  return decision;
}

Decision ToolPolicy::decide(const ExecutionRequest& request) const {
  const bool is_shell = request.tool.empty() || request.tool == kShell;
  auto decision = decide_tool(is_shell ? kShell : std::string_view(request.tool));
  return is_shell ? decide_command(request, decision) : decide_arguments(request, std::move(decision));
}

}  // namespace prx::policy
