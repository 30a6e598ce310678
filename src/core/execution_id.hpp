#pragma once

#include <string>

namespace prx::core {

/// Unique on this machine for as long as it runs: start time of the process, pid and a counter, e.g.
/// "e-18f2a4-3f1-2a".
[[nodiscard]] std::string make_execution_id();

}  // namespace prx::core
