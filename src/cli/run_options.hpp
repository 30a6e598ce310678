#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

#include "cli/command.hpp"

namespace prx::cli {

enum class TerminalChoice { automatic, always, never };

/// The options of `prx run`, as they were typed. `prx explain` takes the same.
struct RunOptions {
  std::optional<std::string> line;
  std::vector<std::string> shell_options;  ///< of prx-sh: passed on to the shell that runs the line
  std::vector<std::string> line_args;      ///< of prx-sh: $0, $1 and so on of the line
  std::string workdir;
  std::string workspace;
  std::vector<std::string> env;
  std::string timeout;
  std::string max_output;
  bool no_stdin = false;
  bool tty = false;
  bool no_tty = false;
  std::string report;
  std::string config_file;
  std::vector<std::string> settings;
  bool verbose = false;
  bool quiet = false;

  [[nodiscard]] TerminalChoice terminal() const noexcept;
};

void declare_run_options(CLI::App& app, RunOptions& options);
/// --config and --set alone, for the commands that only read the configuration.
void declare_config_options(CLI::App& app, std::string& file, std::vector<std::string>& settings);

[[nodiscard]] ConfigSources config_sources(const std::string& file, const std::vector<std::string>& settings);

/// The request without its streams, which depend on what prx itself is connected to.
[[nodiscard]] Result<ExecutionRequest> request_of(const RunOptions& options,
                                                  const std::vector<std::string>& words);

}  // namespace prx::cli
