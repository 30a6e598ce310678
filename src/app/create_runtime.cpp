#include <prx/runtimes.hpp>

#include <utility>

#include "app/create_backend.hpp"
#include "app/routed_runtime.hpp"
#include "base/try.hpp"

namespace prx {

Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config, HostKind host) {
  PRX_TRY(auto main, app::create_backend(config, config.runtime.backend, host));
  return std::unique_ptr<RuntimeAdapter>(std::make_unique<app::RoutedRuntime>(config, host, std::move(main)));
}

}  // namespace prx
