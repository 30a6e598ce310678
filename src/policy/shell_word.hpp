#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace prx::policy {

/// A word that a shell makes of its text: known, or whatever (a variable, a glob, a substitution: none, one
/// or several words).
using ShellWord = std::optional<std::string>;

/// What bash makes of one word of a line. Quotes and backslashes are seen through; everything that is
/// expanded is not known.
[[nodiscard]] ShellWord read_shell_word(std::string_view text);

}  // namespace prx::policy
