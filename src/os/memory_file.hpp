#pragma once

#include <string_view>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::os {

enum class Executable : bool { no, yes };

/// A sealed memory file that holds `content`: whoever gets the descriptor can only read it (or execute it).
/// Errors of step "memfd_create": denied (vm.memfd_noexec), exhausted, setup_failed.
[[nodiscard]] Result<base::Fd> open_memory_file(const char* name, std::string_view content,
                                                Executable executable = Executable::no);

}  // namespace prx::os
