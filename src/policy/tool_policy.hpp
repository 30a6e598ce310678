#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

#include "policy/examine.hpp"
#include "policy/rule_key.hpp"

namespace prx::policy {

/// What holds for a request, by which key, and why.
struct Decision {
  ToolRule rule = ToolRule::allow;
  std::string key;     ///< "security.tool_policy.default", "security.tool_policy.tools.\"shell(git push:*)\""
  std::string where;   ///< where that was set
  std::string reason;  ///< what in the request it is about; may be empty
};

/// [security.tool_policy], read once. Immutable: any thread may ask.
class ToolPolicy {
 public:
  /// Error kind invalid_request: a key that is no rule.
  [[nodiscard]] static Result<ToolPolicy> make(const Config& config);

  /// A request without a tool is one of `shell`. Runs nothing.
  [[nodiscard]] Decision decide(const ExecutionRequest& request) const;

  /// Whether everything is allowed, whatever it is.
  [[nodiscard]] bool allows_all() const noexcept;

 private:
  struct Rule {
    RuleKey key;
    ToolRule rule = ToolRule::allow;
    std::string name;  ///< the whole key of the configuration
    std::string where;
  };

  [[nodiscard]] Decision of_rule(const Rule& rule, std::string reason) const;
  [[nodiscard]] Decision decide_tool(std::string_view tool) const;
  [[nodiscard]] Decision decide_arguments(const ExecutionRequest& request, Decision fallback) const;
  [[nodiscard]] Decision decide_command(const ExecutionRequest& request, const Decision& fallback) const;
  [[nodiscard]] Decision decide_seen(const SeenCommand& command, const Decision& fallback) const;
  [[nodiscard]] std::string group_of(std::string_view tool) const;

  std::vector<Rule> rules_;
  std::map<std::string, Rule> groups_;
  Rule default_;
  std::map<std::string, std::string, std::less<>> groups_of_tools_;
  std::string shell_;
  bool restricts_commands_ = false;
};

}  // namespace prx::policy
