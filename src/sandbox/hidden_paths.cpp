#include "sandbox/hidden_paths.hpp"

#include <algorithm>
#include <optional>

#include "base/try.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/system_tree.hpp"

namespace prx::sandbox {
namespace {

/// A bound for globs over trees nobody meant to search.
constexpr std::size_t kMaxEntries = 200'000;

bool is_glob(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

/// How long the `[a-z]` or `[!a-z]` is that a pattern begins with: a `]` that comes first is one of its
/// characters. 0 where nothing closes it.
std::size_t bracket_size(std::string_view pattern) {
  const bool negated = pattern.starts_with("[!") || pattern.starts_with("[^");
  const auto end = pattern.find(']', negated ? 3 : 2);
  return end == std::string_view::npos ? 0 : end + 1;
}

bool bracket_matches(std::string_view bracket, char c) {
  auto members = bracket.substr(1, bracket.size() - 2);
  const bool negated = members.front() == '!' || members.front() == '^';
  if (negated) members.remove_prefix(1);
  bool hit = false;
  while (!members.empty()) {
    const bool is_range = members.size() > 2 && members[1] == '-';
    hit |= is_range ? members[0] <= c && c <= members[2] : members[0] == c;
    members.remove_prefix(is_range ? 3 : 1);
  }
  return hit != negated;
}

/// How much of the pattern stands for this character; 0 when its beginning does not match.
std::size_t match_character(char c, std::string_view pattern) {
  if (pattern.empty()) return 0;
  if (const auto size = pattern.front() == '[' ? bracket_size(pattern) : 0; size > 0) {
    return bracket_matches(pattern.substr(0, size), c) ? size : 0;
  }
  return pattern.front() == '?' || pattern.front() == c ? 1 : 0;
}

/// One name against one part of a pattern: `*`, `?`, `[a-z]`. Only the last `*` ever has to take more than it
/// has, so the time is bounded by the product of both lengths.
bool matches_part(std::string_view name, std::string_view pattern) {
  std::optional<std::string_view> after_star;
  std::string_view not_taken;
  for (;;) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      after_star = pattern;
      not_taken = name;
      continue;
    }
    if (name.empty() && pattern.empty()) return true;
    if (const auto used = name.empty() ? 0 : match_character(name.front(), pattern); used > 0) {
      name.remove_prefix(1);
      pattern.remove_prefix(used);
      continue;
    }
    if (!after_star || not_taken.empty()) return false;
    not_taken.remove_prefix(1);
    name = not_taken;
    pattern = *after_star;
  }
}

std::string_view first_part(std::string_view path) {
  return path.substr(0, path.find('/'));
}

std::string_view rest_of(std::string_view path) {
  const auto slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
}

bool matches_parts(std::string_view path, std::string_view pattern) {
  if (pattern.empty()) return path.empty();
  const auto part = first_part(pattern);
  if (part == "**") {
    if (matches_parts(path, rest_of(pattern))) return true;
    return !path.empty() && matches_parts(rest_of(path), pattern);
  }
  return !path.empty() && matches_part(first_part(path), part) &&
         matches_parts(rest_of(path), rest_of(pattern));
}

class GlobSearch {
 public:
  GlobSearch(const HostView& host, std::string pattern) : host_(host), pattern_(std::move(pattern)) {}

  /// False when the tree is too large.
  bool run(const std::string& directory, std::vector<std::string>& found) {
    for (const auto& name : host_.list(directory)) {
      if (++entries_ > kMaxEntries) return false;
      auto path = join(directory, name);
      const auto info = host_.look(path);
      if (!info) continue;
      if (matches_glob(path, pattern_)) {
        found.push_back(std::move(path));
      } else if (info->kind == FileKind::directory && !run(path, found)) {
        return false;
      }
    }
    return true;
  }

 private:
  const HostView& host_;
  const std::string pattern_;
  std::size_t entries_ = 0;
};

std::string absolute_pattern(const std::string& text, const Policy& policy) {
  if (text.starts_with("~/")) return policy.caller.home + text.substr(1);
  return text.starts_with('/') ? text : join(policy.workspace.path, text);
}

/// A pattern in two: the folder that all it matches lies in, every link resolved, and the rest. Empty where
/// there is no such folder.
struct Pattern {
  std::string folder;
  std::string whole;
};
Pattern resolve_pattern(const std::string& pattern, const HostView& host) {
  const auto end = pattern.rfind('/', pattern.find_first_of("*?["));
  auto folder = host.resolve(end == 0 ? "/" : pattern.substr(0, end));
  if (folder.empty()) return {};
  auto whole = join(folder, pattern.substr(end + 1));
  return {std::move(folder), std::move(whole)};
}

Error cannot_hide(const Config& config, const std::string& text, std::string detail) {
  return {ErrorKind::invalid_request,
          "sandbox",
          text,
          0,
          std::move(detail),
          "change it (" + config.origin_of("security.sandbox.hidden_paths").describe() + ")"};
}

/// A link is shown as it is, what it points to is hidden; links that lead nowhere hide nothing.
void add(const std::string& path, const HostView& host, std::vector<std::string>& hidden) {
  auto real = host.resolve(path);
  if (real.empty()) return;
  if (std::find(hidden.begin(), hidden.end(), real) == hidden.end()) hidden.push_back(std::move(real));
}

bool is_shown(const std::string& path, const Policy& policy) {
  if (is_system_path(path) || is_within(path, policy.workspace.path)) return true;
  return std::any_of(policy.grants.begin(), policy.grants.end(),
                     [&](const Grant& grant) { return is_within(path, grant.path); });
}

/// What is shown of `folder`.
std::vector<std::string> trees_to_search(const std::string& folder, const Policy& policy) {
  std::vector<std::string> trees;
  const auto add_shown = [&](const std::string& tree) {
    if (folder.empty()) return;
    if (is_within(folder, tree))
      trees.push_back(folder);
    else if (is_within(tree, folder))
      trees.push_back(tree);
  };
  add_shown(policy.workspace.path);
  for (const auto& grant : policy.grants) add_shown(grant.path);
  return trees;
}

/// Without what is not shown anyway, and what lies in a folder that is hidden.
std::vector<std::string> only_needed(std::vector<std::string> hidden, const Policy& policy) {
  std::sort(hidden.begin(), hidden.end());
  std::vector<std::string> needed;
  for (auto& path : hidden) {
    const bool covered = std::any_of(needed.begin(), needed.end(),
                                     [&](const std::string& outer) { return is_within(path, outer); });
    if (!covered && is_shown(path, policy)) needed.push_back(std::move(path));
  }
  return needed;
}

}  // namespace

bool matches_glob(std::string_view path, std::string_view pattern) {
  if (!path.starts_with('/') || !pattern.starts_with('/')) return false;
  return matches_parts(path.substr(1), pattern.substr(1));
}

Result<std::vector<std::string>> find_hidden(const Config& config, const Policy& policy,
                                             const HostView& host) {
  std::vector<std::string> hidden;
  for (const auto& text : config.security.sandbox.hidden_paths) {
    const auto pattern = absolute_pattern(text, policy);
    if (!is_glob(pattern)) {
      add(pattern, host, hidden);
      continue;
    }
    const auto [folder, whole] = resolve_pattern(pattern, host);
    std::vector<std::string> found;
    for (const auto& tree : trees_to_search(folder, policy)) {
      if (!GlobSearch(host, whole).run(tree, found)) {
        return cannot_hide(config, text, "there are too many files below " + tree + " to look for it");
      }
    }
    for (const auto& path : found) add(path, host, hidden);
  }
  for (const auto& entry : policy.caller.never_visible) add(entry.path, host, hidden);
  for (const auto& path : hidden) {
    if (is_within(policy.workspace.path, path))
      return cannot_hide(config, path, "it would hide the workspace");
  }
  return only_needed(std::move(hidden), policy);
}

}  // namespace prx::sandbox
