#include "cli/backend_choice.hpp"

#include <prx/runtimes.hpp>

#include "base/log.hpp"

namespace prx::cli {

std::string BackendDecision::text() const {
  const std::string name = backend.empty() ? "none" : backend;
  return reason.empty() ? name : name + " (" + reason + ")";
}

BackendDecision decide_backend(const Config& config) {
  BackendDecision decision;
  base::set_log_sink([&decision](base::LogLevel, std::string_view text) {
    decision.reason += (decision.reason.empty() ? "" : "; ") + std::string(text);
  });
  const auto runtime = create_runtime(config, HostKind::one_shot);
  base::set_log_sink({});
  if (runtime) {
    decision.backend = (*runtime)->name();
    const bool chosen = config.runtime.backend == BackendChoice::automatic;
    if (chosen && decision.reason.empty()) decision.reason = "docker is not in this build";
  } else {
    decision.reason = runtime.error().message();
  }
  return decision;
}

}  // namespace prx::cli
