#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

namespace prx::policy {

/// A key of [security.tool_policy.tools], read.
///
///     greet                    each call of that tool; mcp__server__*: of all that begin so
///     shell(git push:*)        commands that begin with these words
///     shell(git status)        exactly this command
///     greet(name=a*)           calls whose argument of that name is like that (* is any text)
struct RuleKey {
  std::string tool;
  bool tool_is_prefix = false;
  std::vector<std::string> words;  ///< of a command
  bool words_are_prefix = false;
  std::string argument;  ///< of another tool
  std::string glob;

  [[nodiscard]] bool is_of_command() const noexcept { return !words.empty(); }
  [[nodiscard]] bool matches_tool(std::string_view name) const;
};

/// Error kind invalid_request, step "policy".
[[nodiscard]] Result<RuleKey> read_rule_key(const std::string& text);

/// `*` is any text, everything else itself.
[[nodiscard]] bool matches_glob(std::string_view glob, std::string_view text);

}  // namespace prx::policy
