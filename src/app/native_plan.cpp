#include "app/native_plan.hpp"

#include <utility>

#include "backends/native/native_settings.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"
#include "sandbox/plan_explainer.hpp"

namespace prx::app {

Result<NativePlan> plan_native(const Config& config) {
  PRX_TRY(auto settings, backends::make_native_settings(config, core::process_environment()));
  PRX_TRY(auto sandbox, sandbox::make_sandbox(config, settings.base_env));
  settings.sandbox = sandbox.kind;
  settings.denials_observed = sandbox.denials_observed;
  settings.workspace = sandbox.workspace;
  settings.watch_workspace = sandbox.watch;
  settings.base_env = core::merge_environment(std::move(settings.base_env), sandbox.env);
  settings.warnings.insert(settings.warnings.end(), sandbox.warnings.begin(), sandbox.warnings.end());
  if (sandbox.blueprint) settings.explainer = sandbox::make_plan_explainer(sandbox.blueprint);
  return NativePlan{std::move(settings), std::move(sandbox)};
}

}  // namespace prx::app
