#pragma once

#include <prx/config.hpp>

#include "backends/wasm/module_store.hpp"

namespace prx::app {

/// The modules of the WASM backend, for those who look after them.
[[nodiscard]] backends::ModuleStore open_wasm_modules(const Config& config);

}  // namespace prx::app
