#include "sandbox/protection.hpp"

#include <algorithm>
#include <filesystem>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

/// The workspace itself says how many there are.
constexpr int kMaxRepositories = 256;
constexpr int kMaxModuleDepth = 8;

bool is_directory(const std::string& path, const HostView& host) {
  const auto info = host.look(path);
  return info && info->kind == FileKind::directory;
}

/// A link is no entry that could be made read-only, and what lies behind one lies elsewhere.
bool is_in_place(const std::string& path, const HostView& host) {
  const auto info = host.look(path);
  return info && info->kind != FileKind::symlink && host.resolve(path) == path;
}

/// As one that no component of which is empty or a dot: a slash at the end would follow a link.
std::string normal(const std::string& entry) {
  auto name = std::filesystem::path(entry).lexically_normal().string();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

class Finder {
 public:
  Finder(const std::vector<std::string>& wanted, const HostView& host)
      : hooks_(contains(wanted, ".git/hooks")), config_(contains(wanted, ".git/config")), host_(host) {}

  [[nodiscard]] bool wants_git() const { return hooks_ || config_; }

  void add(const std::string& base, const std::string& name, Harmless harmless = Harmless::nothing) {
    hold_folders(base, name);
    auto path = join(base, name);
    if (is_in_place(path, host_)) {
      add_once(found_.read_only, std::move(path));
    } else {
      found_.watched.push_back({base, name, harmless});
    }
  }

  /// `folder`: from `base`, ends with a slash where it is not `base` itself.
  void add_repository(const std::string& base, const std::string& folder, int depth = 0) {
    if (++repositories_ == kMaxRepositories + 1) {
      found_.warnings.push_back(base + ": more than " + std::to_string(kMaxRepositories) +
                                " submodules; the configuration of the others is not protected");
    }
    if (repositories_ > kMaxRepositories) return;
    if (hooks_) add(base, folder + "hooks", Harmless::git_hooks);
    if (config_) add(base, folder + "config", Harmless::git_config);
    add_redirections(base, folder);
    const auto worktrees = folder + "worktrees/";
    for (const auto& name : host_.list(join(base, worktrees))) {
      if (is_directory(join(base, worktrees + name), host_)) add_redirections(base, worktrees + name + "/");
    }
    add_modules(base, folder + "modules/", depth);
  }

  [[nodiscard]] Protection take() { return std::move(found_); }

 private:
  static bool contains(const std::vector<std::string>& list, std::string_view entry) {
    return std::find(list.begin(), list.end(), entry) != list.end();
  }
  static void add_once(std::vector<std::string>& list, std::string entry) {
    if (!contains(list, entry)) list.push_back(std::move(entry));
  }

  /// Files by which a repository says that its configuration and hooks are somewhere else.
  void add_redirections(const std::string& base, const std::string& folder) {
    add(base, folder + "commondir");
    if (config_) add(base, folder + "config.worktree", Harmless::git_config);
  }

  /// A submodule's name may have slashes in it.
  void add_modules(const std::string& base, const std::string& folder, int depth) {
    if (depth > kMaxModuleDepth) return;
    for (const auto& name : host_.list(join(base, folder))) {
      const auto module = folder + name + "/";
      if (!is_directory(join(base, folder + name), host_)) continue;
      if (host_.look(join(base, module + "HEAD"))) {
        add_repository(base, module, depth + 1);
      } else {
        add_modules(base, module, depth + 1);
      }
    }
  }

  void hold_folders(const std::string& base, const std::string& name) {
    for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
      auto folder = join(base, name.substr(0, slash));
      if (!is_directory(folder, host_)) return;
      add_once(found_.held, std::move(folder));
    }
  }

  const bool hooks_;
  const bool config_;
  const HostView& host_;
  Protection found_;
  int repositories_ = 0;
};

}  // namespace

std::string_view describe(Harmless harmless) noexcept {
  switch (harmless) {
    case Harmless::nothing:
      break;
    case Harmless::git_config:
      return "what `git init` and `git clone` write";
    case Harmless::git_hooks:
      return "git's samples";
    case Harmless::git_folder:
      return "a directory";
  }
  return "nothing";
}

Protection find_protection(const std::vector<std::string>& protected_paths, const std::string& workspace,
                           const GitFolders& git, const HostView& host) {
  std::vector<std::string> wanted;
  for (const auto& entry : protected_paths) wanted.push_back(normal(entry));
  Finder finder(wanted, host);
  for (const auto& entry : wanted) {
    if (entry != ".git/hooks" && entry != ".git/config") finder.add(workspace, entry);
  }
  if (!finder.wants_git()) return finder.take();
  if (!is_directory(join(workspace, ".git"), host)) finder.add(workspace, ".git", Harmless::git_folder);
  finder.add_repository(workspace, ".git/");
  for (const auto& repository : git.repositories) {
    if (repository == join(workspace, ".git")) continue;
    if (is_within(repository, workspace)) {
      finder.add_repository(workspace, repository.substr(workspace.size() + 1) + "/");
    } else {
      finder.add_repository(repository, "");
    }
  }
  return finder.take();
}

bool can_be_read_only(const WatchedPlace& place, const HostView& host) {
  return is_in_place(join(place.base, place.name), host);
}

}  // namespace prx::sandbox
