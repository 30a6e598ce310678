#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/shell_line.hpp"

namespace prx::policy {

/// "git" of "/usr/bin/git".
[[nodiscard]] std::string_view program_name(std::string_view word);

/// What a program that only starts another one starts.
struct Unwrapped {
  WordList inner;      ///< empty: it starts nothing
  std::string line;    ///< or a line of shell
  std::string unseen;  ///< or what hides it
};

/// Sees through env, nice, timeout, sudo, xargs, `sh -c` and the like. Nothing for any other program.
[[nodiscard]] std::optional<Unwrapped> unwrap(const WordList& words);

}  // namespace prx::policy
