#include "app/wasm_modules.hpp"

namespace prx::app {

backends::ModuleStore open_wasm_modules(const Config& config) {
  return backends::ModuleStore(config);
}

}  // namespace prx::app
