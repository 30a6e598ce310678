#pragma once

#include <chrono>
#include <optional>

#include <prx/result.hpp>
#include <prx/tools.hpp>

namespace prx::cli {

struct BatchOptions {
  unsigned jobs = 1;  ///< calls at once
  std::optional<std::chrono::milliseconds> timeout;
};

/// Reads calls as JSON lines from stdin and answers each on stdout as it ends. Ends at the end of stdin, or
/// when nobody reads the answers. Returns the exit status: 1 where a line was no call.
[[nodiscard]] Result<int> run_batch(const Toolbox& toolbox, const BatchOptions& options);

}  // namespace prx::cli
