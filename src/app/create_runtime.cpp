#include <string>

#include <prx/runtimes.hpp>

#include "backends/native/native_runtime.hpp"

namespace prx {

Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config, HostKind host) {
  switch (config.runtime.backend) {
    case BackendChoice::automatic:
    case BackendChoice::native:
      return backends::make_native_runtime(config, host);
    case BackendChoice::docker:
    case BackendChoice::wasm:
      break;
  }
  return Error{ErrorKind::unavailable,
               "backend",
               std::string(to_string(config.runtime.backend)),
               0,
               "this build has only the native backend",
               "set runtime.backend = \"native\" (it is set by " +
                   config.origin_of("runtime.backend").describe() + ")"};
}

}  // namespace prx
