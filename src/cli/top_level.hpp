#pragma once

#include <span>

namespace prx::cli {

/// `prx COMMAND …`, `prx --help`, `prx --version`: finds the command and runs it. Only the options of
/// that one command are built: start-up is what a short command pays most for.
[[nodiscard]] int run_top_level(std::span<char* const> args);

}  // namespace prx::cli
