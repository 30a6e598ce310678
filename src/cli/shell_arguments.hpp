#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <prx/result.hpp>

namespace prx::cli {

/// What a shell was called with: `sh [options] -c LINE [NAME [ARG…]]`.
struct ShellArguments {
  bool help = false;
  bool version = false;
  std::optional<std::string> line;
  std::vector<std::string> options;  ///< for the shell that runs the line
  std::vector<std::string> args;     ///< NAME and ARGs
};

/// By the rules of POSIX sh and bash: -c takes no value but makes the first operand the line, letters may
/// stand together (-euc), -o and -O take the next word, -- or - ends the options. -l, -i and what else is
/// about start files and prompts is taken and dropped.
[[nodiscard]] Result<ShellArguments> parse_shell_arguments(std::span<const std::string> args);

}  // namespace prx::cli
