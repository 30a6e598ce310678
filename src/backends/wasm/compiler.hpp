#pragma once

#include <string>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::backends {

/// Compiles a module in a process of its own, which is confined and bounded, and gives the code as a sealed
/// memory file. Waits for it. Errors of step "compile", subject the path: not_executable (the engine's words
/// on what is wrong with the module), exhausted (it took too long or too much memory), setup_failed.
[[nodiscard]] Result<base::Fd> compile_module(const base::Fd& worker, const base::Fd& module,
                                              const std::string& path);

/// The same for the binary module that a text, or a binary, means.
[[nodiscard]] Result<base::Fd> translate_module(const base::Fd& worker, const base::Fd& module,
                                                const std::string& path);

}  // namespace prx::backends
