#pragma once

#include <optional>

#include "bench/contenders.hpp"

namespace prx::bench {

/// posix_spawn of a command that has a control group of its own with limits of memory and of processes: what
/// the least code does that only limits. None where this process may make no such groups.
[[nodiscard]] std::optional<Contender> bare_with_limits(std::string name, Argv argv);

}  // namespace prx::bench
