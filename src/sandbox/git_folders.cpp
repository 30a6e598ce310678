#include "sandbox/git_folders.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

std::string first_line(const std::string& text) {
  auto line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}

std::string absolute(const std::string& base, const std::string& path) {
  return path.starts_with('/') ? path : join(base, path);
}

/// What a `.git` file points to.
std::optional<std::string> git_file_target(const std::string& file, const HostView& host) {
  constexpr std::string_view kKey = "gitdir: ";
  const auto line = first_line(host.read_text(file));
  if (!line.starts_with(kKey)) return std::nullopt;
  return host.resolve(absolute(parent_of(file), line.substr(kKey.size())));
}

bool is_repository(const std::string& folder, const HostView& host) {
  return host.look(join(folder, "HEAD")) && host.look(join(folder, "objects")) &&
         host.look(join(folder, "refs"));
}

/// The repository of a worktree, if it knows this worktree.
std::string repository_of_worktree(const std::string& folder, const std::string& git_file,
                                   const HostView& host) {
  const auto named = first_line(host.read_text(join(folder, "gitdir")));
  if (named.empty() || host.resolve(absolute(folder, named)) != git_file) return {};
  const auto common = first_line(host.read_text(join(folder, "commondir")));
  if (common.empty()) return {};
  auto repository = host.resolve(absolute(folder, common));
  return is_within(folder, join(repository, "worktrees")) && is_repository(repository, host) ? repository
                                                                                             : std::string();
}

bool is_own_submodule(const std::string& folder, const std::string& workspace, const HostView& host) {
  constexpr std::string_view kModules = "/.git/modules/";
  const auto at = folder.find(kModules);
  return at != std::string::npos && is_within(workspace, folder.substr(0, at)) && is_repository(folder, host);
}

void add_linked(GitFolders& found, const std::string& git_file, const std::string& workspace,
                const HostView& host) {
  const auto folder = git_file_target(git_file, host);
  if (!folder || folder->empty()) return;
  auto repository = repository_of_worktree(*folder, git_file, host);
  if (repository.empty() && is_own_submodule(*folder, workspace, host)) repository = *folder;
  if (repository.empty()) {
    found.refused.push_back(git_file + " points to " + *folder +
                            ", which does not know this workspace: it is not visible");
    return;
  }
  found.repositories.push_back(repository);
  if (!is_within(repository, workspace)) found.outside.push_back(repository);
}

void add_symlinked(GitFolders& found, const std::string& link, const FileInfo& owner, const HostView& host) {
  const auto folder = host.resolve(link);
  const auto info = folder.empty() ? std::nullopt : host.look(folder);
  if (!info) return;
  if (info->kind != FileKind::directory || info->uid != owner.uid || !is_repository(folder, host)) {
    found.refused.push_back(link + " is a link to " + folder + ", which is no repository of the same owner");
    return;
  }
  found.repositories.push_back(folder);
  if (!is_within(folder, parent_of(link))) found.outside.push_back(folder);
}

/// The value of `name` in section [user] of a git configuration.
std::string user_value(const std::string& text, std::string_view name) {
  bool in_user = false;
  std::string value;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    std::string_view line(text.data() + at, end - at);
    at = end + 1;
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    line.remove_prefix(begin);
    if (line.front() == '[') in_user = line.starts_with("[user]");
    if (!in_user || !line.starts_with(name)) continue;
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    line.remove_prefix(std::min(line.find_first_not_of(" \t", equals + 1), line.size()));
    value = line;
  }
  return value;
}

}  // namespace

GitFolders find_git_folders(const std::string& workspace, const HostView& host) {
  GitFolders found;
  const auto git = join(workspace, ".git");
  const auto info = host.look(git);
  if (!info) return found;
  if (info->kind == FileKind::directory) found.repositories.push_back(git);
  if (info->kind == FileKind::file) add_linked(found, git, workspace, host);
  if (info->kind == FileKind::symlink) add_symlinked(found, git, *info, host);
  return found;
}

std::string make_git_config(const std::string& home, const HostView& host) {
  auto text = host.read_text(join(home, ".gitconfig"));
  if (text.empty()) text = host.read_text(join(home, ".config/git/config"));
  std::string config = "[safe]\n\tdirectory = *\n";
  const auto name = user_value(text, "name");
  const auto email = user_value(text, "email");
  if (!name.empty() || !email.empty()) config += "[user]\n";
  if (!name.empty()) config += "\tname = " + name + "\n";
  if (!email.empty()) config += "\temail = " + email + "\n";
  return config;
}

}  // namespace prx::sandbox
