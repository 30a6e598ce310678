#pragma once

#include <prx/error.hpp>

namespace prx::cli {

/// 127 when the program does not exist, 126 when it cannot be executed, 125 for everything else.
[[nodiscard]] int exit_code_of(const Error& error) noexcept;

/// Says it on stderr, or on stdout as {"error": …}; returns the exit status.
[[nodiscard]] int report_failure(const Error& error, bool json);

}  // namespace prx::cli
