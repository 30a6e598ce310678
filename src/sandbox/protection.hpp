#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "sandbox/git_folders.hpp"
#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// What may appear at a watched place all the same.
enum class Harmless : std::uint8_t {
  nothing,
  git_config,  ///< as `git init` and `git clone` write it: nothing that names a program
  git_hooks,   ///< samples, which git does not run
  git_folder,  ///< a directory; what matters in it is watched itself
};

/// For a person, what may appear: "nothing" …
[[nodiscard]] std::string_view describe(Harmless harmless) noexcept;

/// A place that a command may not fill, where nothing can be put in its way: it is empty, or a link.
struct WatchedPlace {
  std::string base;  ///< the granted tree it lies in
  std::string name;  ///< from there
  Harmless harmless = Harmless::nothing;
};

/// `protected_paths` on this machine, as of now.
struct Protection {
  std::vector<std::string> read_only;  ///< what exists
  /// The folders around protected places. A mount of its own cannot be renamed: otherwise a command would
  /// move `.git` away, with the read-only `config` in it, and make another.
  std::vector<std::string> held;
  std::vector<WatchedPlace> watched;
  std::vector<std::string> warnings;
};

/// `.git/hooks` and `.git/config` stand for every place from which git takes them: also of submodules,
/// worktrees and a repository outside.
[[nodiscard]] Protection find_protection(const std::vector<std::string>& protected_paths,
                                         const std::string& workspace, const GitFolders& git,
                                         const HostView& host);

/// Whether a place that was watched could be made read-only by now.
[[nodiscard]] bool can_be_read_only(const WatchedPlace& place, const HostView& host);

}  // namespace prx::sandbox
