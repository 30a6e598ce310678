#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/shell_word.hpp"

namespace prx::policy {

/// A program with its arguments, as they stand in a line.
using WordList = std::vector<ShellWord>;

/// What is known of a shell line without running it.
struct ShellReading {
  std::vector<WordList> commands;   ///< all of them, in whatever they are nested
  std::vector<std::string> unseen;  ///< what could hide a command; empty: nothing does
};

/// Reads a line of bash, or of a POSIX shell. What is not plain to see is `unseen`, never left out.
[[nodiscard]] ShellReading read_shell_line(std::string_view line);

/// Variables that make other programs run: PATH, LD_PRELOAD, GIT_SSH_COMMAND …
[[nodiscard]] bool is_launching_variable(std::string_view name);

}  // namespace prx::policy
