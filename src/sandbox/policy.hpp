#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "sandbox/host_view.hpp"
#include "sandbox/never_visible.hpp"
#include "sandbox/protection.hpp"

namespace prx::sandbox {

/// Who asks, and on what.
struct Caller {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::vector<std::uint32_t> groups;  ///< supplementary ones
  std::string home;                   ///< $HOME
  std::string path;                   ///< $PATH as the command is to get it
  std::string workspace;              ///< absolute; may be what the caller is refused
  bool workspace_named = false;       ///< by the caller, not just where it stands
  std::vector<NeverVisible> never_visible;
  std::string ssh_agent;   ///< the socket to show; empty: none was asked for
  std::string quarantine;  ///< where what a command may not leave is moved to; may not exist; empty: nowhere
};

/// A path that is granted, as it is on the host, every link resolved.
struct Grant {
  std::string path;
  FileInfo info;
  bool writable = false;
  std::string reason;  ///< the key or default behind it, for people
};

/// What `[security]` means on this machine: every path resolved and checked, the same for every kind of
/// sandbox.
struct Policy {
  Caller caller;
  Grant workspace;
  std::vector<Grant> grants;  ///< beside the workspace: configured, toolchains, git's own folders
  Protection protection;
  std::vector<Grant> read_only;     ///< protection.read_only, though what is around is writable
  std::vector<std::string> hidden;  ///< resolved; shown empty
  std::vector<std::string> path;    ///< $PATH without what cannot be seen
  bool network = false;
  bool allow_root_id = false;
  bool shares_tmp = false;         ///< the host's /tmp is granted
  std::optional<Grant> ssh_agent;  ///< its socket, where it was asked for
  std::string git_config;          ///< for the private home: name, e-mail, safe.directory
  std::vector<std::string> warnings;
};

/// Errors: invalid_request (a path that does not exist or may not be granted: step "workspace", "sandbox"),
/// unsupported (a list of hosts).
[[nodiscard]] Result<Policy> make_policy(const Config& config, Caller caller, const HostView& host);

}  // namespace prx::sandbox
