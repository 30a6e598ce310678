#pragma once

#include <string>

#include "policy/shell_line.hpp"

namespace prx::policy {

/// Why a program can start others that are not seen: an interpreter, a build, a script file, an option that
/// names a command. Empty: as far as is known it starts none.
[[nodiscard]] std::string launches(const WordList& words);

}  // namespace prx::policy
