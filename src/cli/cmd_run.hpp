#pragma once

#include <string>
#include <vector>

#include "cli/run_options.hpp"

namespace prx::cli {

/// `prx run` with its options parsed, also behind prx-sh. Returns the exit status.
[[nodiscard]] int run_with(const RunOptions& options, const std::vector<std::string>& words, bool json);

}  // namespace prx::cli
