#pragma once

#include <string>
#include <vector>

#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// Where git keeps the repository of a workspace.
struct GitFolders {
  /// Outside of the workspace, and needed for git to work in it: of a worktree, a submodule, a linked `.git`.
  std::vector<std::string> outside;
  /// Every folder that holds hooks and a config, in the workspace or outside.
  std::vector<std::string> repositories;
  /// Something like a repository that was not believed, in words.
  std::vector<std::string> refused;
};

/// A workspace says itself where its repository is, and whoever wrote it may say anything. So a folder
/// outside is believed only where the repository says the same: a worktree is known to it by name, a
/// submodule lies below the repository of a folder around it, a linked `.git` is a whole repository of the
/// same owner.
[[nodiscard]] GitFolders find_git_folders(const std::string& workspace, const HostView& host);

/// The text of a configuration that makes git work in the slot: who the user is, and that the workspace is
/// theirs.
[[nodiscard]] std::string make_git_config(const std::string& home, const HostView& host);

}  // namespace prx::sandbox
