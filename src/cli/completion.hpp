#pragma once

#include <string>

namespace prx::cli {

/// A script that teaches a shell the commands and options of prx, made of the same pages as --help.
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

}  // namespace prx::cli
