#include "policy/rule_key.hpp"

#include <utility>

#include "base/printable.hpp"
#include "base/try.hpp"

namespace prx::policy {
namespace {

Error refusal(const std::string& text, std::string detail) {
  return {ErrorKind::invalid_request,
          "policy",
          "security.tool_policy.tools.\"" + base::printable(text) + "\"",
          0,
          std::move(detail),
          "write \"greet\", \"mcp__server__*\", \"greet(name=a*)\", \"shell(git push:*)\" or \"shell(git "
          "status)\""};
}

Result<void> read_words(const std::string& text, std::string_view pattern, RuleKey& key) {
  if (pattern.ends_with(":*")) {
    key.words_are_prefix = true;
    pattern.remove_suffix(2);
  }
  while (!pattern.empty()) {
    const auto end = std::min(pattern.find(' '), pattern.size());
    if (end > 0) key.words.emplace_back(pattern.substr(0, end));
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  if (key.words.empty()) return refusal(text, "names no program between its brackets");
  for (const auto& word : key.words) {
    if (word.find_first_of("*?[]'\"$`\\") != std::string::npos) {
      return refusal(text, "takes plain words, and \":*\" at the end for any that follow");
    }
  }
  return {};
}

Result<void> read_argument(const std::string& text, std::string_view pattern, RuleKey& key) {
  const auto equals = pattern.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return refusal(text, "names no argument as NAME=PATTERN");
  key.argument = pattern.substr(0, equals);
  key.glob = pattern.substr(equals + 1);
  return {};
}

}  // namespace

bool RuleKey::matches_tool(std::string_view name) const {
  return tool_is_prefix ? name.starts_with(tool) : name == tool;
}

Result<RuleKey> read_rule_key(const std::string& text) {
  RuleKey key;
  const auto open = text.find('(');
  key.tool = text.substr(0, open);
  if (open != std::string::npos) {
    if (!text.ends_with(')')) return refusal(text, "has a bracket without its partner");
    const auto pattern = std::string_view(text).substr(open + 1, text.size() - open - 2);
    PRX_CHECK(key.tool == "shell" ? read_words(text, pattern, key) : read_argument(text, pattern, key));
  } else if (key.tool.ends_with('*')) {
    key.tool_is_prefix = true;
    key.tool.pop_back();
  }
  const bool is_plain = key.tool.find_first_of("*() ") == std::string::npos;
  if (!is_plain || (key.tool.empty() && !key.tool_is_prefix)) return refusal(text, "names no tool");
  return key;
}

bool matches_glob(std::string_view glob, std::string_view text) {
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  std::size_t g = 0;
  for (std::size_t t = 0; t < text.size();) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      retry = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace prx::policy
