#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/request.hpp>

#include "policy/shell_line.hpp"

namespace prx::policy {

/// A program that a command starts, and why it might start others that are not seen (empty: it does not).
struct SeenCommand {
  WordList words;
  std::string launches;
};

/// What a command comes to, with env, xargs, `sh -c` and the like seen through.
struct Examination {
  std::vector<SeenCommand> commands;
  std::vector<std::string> unseen;  ///< what could hide a command
};

/// `shell` is the one that runs lines: only those of the family of sh are read. Runs nothing.
[[nodiscard]] Examination examine(const Command& command, std::string_view shell);

}  // namespace prx::policy
