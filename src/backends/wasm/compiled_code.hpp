#pragma once

#include <string>

#include <prx/result.hpp>

#include "backends/wasm/code_cache.hpp"
#include "backends/wasm/module_file.hpp"
#include "base/fd.hpp"

namespace prx::backends {

/// What a module's code is made with, and where it is kept.
struct CodeSource {
  const base::Fd& worker;
  const ModuleFile& module;
  const std::string& engine;  ///< what code depends on, beside module and processor
  const CodeCache::Folders& cache;
};

struct CompiledCode {
  base::Fd code;          ///< a sealed memory file
  bool was_kept = false;  ///< nothing was compiled
};

/// The code that is kept, or else compiles the module, waits for that, and keeps it. However many processes
/// ask at once, one compiles. Where code cannot be kept the log says why. Errors as compile_module().
[[nodiscard]] Result<CompiledCode> find_or_compile(const CodeSource& source);

}  // namespace prx::backends
