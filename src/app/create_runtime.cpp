#include <utility>

#include <prx/runtimes.hpp>

#include "app/audit_path.hpp"
#include "app/create_backend.hpp"
#include "app/guarded_runtime.hpp"
#include "app/routed_runtime.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"

namespace prx {
namespace {

Result<std::shared_ptr<audit::Log>> open_log(const Config& config, const RuntimeOptions& options) {
  const auto& wanted = config.security.audit;
  if (!wanted.enabled) return std::shared_ptr<audit::Log>();
  PRX_TRY(auto path, app::audit_path(config));
  audit::FileOptions file{.path = std::move(path),
                          .fsync = wanted.fsync,
                          .waits_for_room = wanted.on_full == AuditFull::block,
                          .max_size = wanted.max_size.value,
                          .keep = wanted.keep};
  return std::make_shared<audit::Log>(std::move(file), options.caller, core::process_environment());
}

}  // namespace

Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config, RuntimeOptions options) {
  PRX_TRY(auto policy, policy::ToolPolicy::make(config));
  PRX_TRY(auto log, open_log(config, options));
  PRX_TRY(auto main, app::create_backend(config, config.runtime.backend, options.host));
  auto routed = std::make_unique<app::RoutedRuntime>(config, options.host, std::move(main));
  app::Guard guard{std::move(policy), std::move(options.supervisor), config.security.tool_policy.ask_timeout,
                   std::move(log)};
  return std::unique_ptr<RuntimeAdapter>(
      std::make_unique<app::GuardedRuntime>(std::move(guard), std::move(routed)));
}

Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config, HostKind host) {
  return create_runtime(config, RuntimeOptions{.host = host});
}

}  // namespace prx
