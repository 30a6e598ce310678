#include <string>
#include <utility>

#include <prx/runtimes.hpp>

#include "app/create_wasm.hpp"
#include "app/native_plan.hpp"
#include "backends/native/native_runtime.hpp"
#include "base/try.hpp"

namespace prx {
namespace {

Result<std::unique_ptr<RuntimeAdapter>> create_native(const Config& config, HostKind host) {
  PRX_TRY(auto plan, app::plan_native(config));
  const backends::NativeConfinement confinement{std::move(plan.sandbox.plan), plan.sandbox.needs_spawner};
  return backends::make_native_runtime(std::move(plan.settings), confinement, config.runtime.native.pool,
                                       host);
}

}  // namespace

Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config, HostKind host) {
  switch (config.runtime.backend) {
    case BackendChoice::automatic:
    case BackendChoice::native:
      return create_native(config, host);
    case BackendChoice::wasm:
      return app::create_wasm(config, host);
    case BackendChoice::docker:
      break;
  }
  return Error{ErrorKind::unavailable,
               "backend",
               std::string(to_string(config.runtime.backend)),
               0,
               "this build has only the backends native and wasm",
               "set runtime.backend = \"native\" (it is set by " +
                   config.origin_of("runtime.backend").describe() + ")"};
}

}  // namespace prx
