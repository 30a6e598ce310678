#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <prx/request.hpp>
#include <prx/units.hpp>

#include "core/workspace_watch.hpp"

namespace prx::core {

/// From SIGTERM to SIGKILL when a deadline passes or a command is cancelled.
inline constexpr std::chrono::milliseconds kGrace{500};
/// How much longer than the grace the host waits for prx-init before it ends the slot itself.
inline constexpr std::chrono::milliseconds kBackstop{1000};

/// What holds for every execution of one runtime; made once from the configuration.
struct Settings {
  std::string backend;
  std::string sandbox;
  bool denials_observed = false;
  std::string shell;
  /// Where a command starts that names no directory, when the caller stands outside of it. Empty: nowhere is
  /// outside.
  std::string workspace;
  MakeWorkspaceWatch watch_workspace;  ///< may be empty
  std::vector<EnvVar> base_env;        ///< what every command gets, before the request's own
  std::uint32_t env_withheld = 0;
  std::chrono::milliseconds default_timeout{0};
  std::map<std::string, std::chrono::milliseconds> tool_timeouts;
  Bytes max_output;
  Bytes max_memory;                   ///< zero: no limit
  bool has_file_limit = false;        ///< of file sizes
  std::vector<std::string> warnings;  ///< go into every output
};

}  // namespace prx::core
