#pragma once

#include <string>
#include <vector>

#include "support/program.hpp"

namespace prx::test {

/// An environment in which no configuration of the machine takes part.
[[nodiscard]] std::vector<std::string> plain_env(const std::vector<std::string>& more = {});

/// "prx", with `args`.
[[nodiscard]] std::vector<std::string> prx_command(const std::vector<std::string>& args);

/// Runs prx in plain_env(), unless the options have an environment.
[[nodiscard]] ProgramResult run_prx(const std::vector<std::string>& args, ProgramOptions options = {});

/// Runs a line of /bin/sh in which $PRX is the program.
[[nodiscard]] ProgramResult run_line(const std::string& line);

}  // namespace prx::test
