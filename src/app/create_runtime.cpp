#include <string>

#include <prx/runtimes.hpp>

#include "app/create_wasm.hpp"
#include "backends/native/native_runtime.hpp"
#include "backends/native/native_settings.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"
#include "sandbox/sandbox.hpp"

namespace prx {
namespace {

Result<std::unique_ptr<RuntimeAdapter>> create_native(const Config& config, HostKind host) {
  PRX_TRY(auto settings, backends::make_native_settings(config, core::process_environment()));
  PRX_TRY(auto sandbox, sandbox::make_sandbox(config, settings.base_env));
  settings.sandbox = sandbox.kind;
  settings.denials_observed = sandbox.denials_observed;
  settings.workspace = sandbox.workspace;
  settings.watch_workspace = std::move(sandbox.watch);
  settings.base_env = core::merge_environment(std::move(settings.base_env), sandbox.env);
  settings.warnings.insert(settings.warnings.end(), sandbox.warnings.begin(), sandbox.warnings.end());
  const backends::NativeConfinement confinement{std::move(sandbox.plan), sandbox.needs_spawner};
  return backends::make_native_runtime(std::move(settings), confinement, config.runtime.native.pool, host);
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
