#pragma once

#include <string>

#include <prx/request.hpp>

namespace prx::audit {

/// A command for people, on one line and in UTF-8: the shell line, or the program with its arguments, each
/// quoted where it needs it. Cut at 4 KiB.
[[nodiscard]] std::string command_text(const Command& command);

}  // namespace prx::audit
