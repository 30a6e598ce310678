#include "app/create_backend.hpp"

#include <string>
#include <utility>

#include "app/create_wasm.hpp"
#include "app/native_plan.hpp"
#include "backends/native/native_runtime.hpp"
#include "base/try.hpp"

namespace prx::app {
namespace {

Result<std::unique_ptr<RuntimeAdapter>> create_native(const Config& config, HostKind host) {
  PRX_TRY(auto plan, plan_native(config));
  const backends::NativeConfinement confinement{std::move(plan.sandbox.plan), plan.sandbox.needs_spawner};
  return backends::make_native_runtime(std::move(plan.settings), confinement, config.runtime.native.pool,
                                       host);
}

}  // namespace

Result<std::unique_ptr<RuntimeAdapter>> create_backend(const Config& config, BackendChoice choice,
                                                       HostKind host) {
  switch (choice) {
    case BackendChoice::automatic:
    case BackendChoice::native:
      return create_native(config, host);
    case BackendChoice::wasm:
      return create_wasm(config, host);
    case BackendChoice::docker:
      break;
  }
  return Error{
      ErrorKind::unavailable,
      "backend",
      std::string(to_string(choice)),
      0,
      "this build has only the backends native and wasm",
      "choose one of them: runtime.backend is set by " + config.origin_of("runtime.backend").describe()};
}

}  // namespace prx::app
