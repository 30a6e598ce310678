#pragma once

#include <string>

namespace prx::base {

/// The text of an errno value, e.g. "No such file or directory". Thread-safe.
[[nodiscard]] std::string errno_text(int error_number);

}  // namespace prx::base
