#pragma once

#include <span>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

#include "core/planned_slot.hpp"
#include "core/workspace_watch.hpp"

namespace prx::sandbox {

/// How the slots of one runtime are confined.
struct Sandbox {
  std::string kind;            ///< "namespaces", "none" …
  core::PlanSource plan;       ///< of every kind, since limits hold for every kind
  bool needs_spawner = false;  ///< a slot leaves something to remove: namespaces, groups
  core::MakeWorkspaceWatch watch;
  std::string workspace;          ///< as commands see it
  bool denials_observed = false;  ///< the filter tells what it refuses
  std::vector<EnvVar> env;        ///< replaces what comes from the host: PATH without what cannot be seen
  std::vector<std::string> warnings;
};

/// Plans what `[security]` asks for. `environment` is what a command would get of the host's.
/// Errors: invalid_request, unsupported, unavailable (this machine cannot make what is asked for).
[[nodiscard]] Result<Sandbox> make_sandbox(const Config& config, std::span<const EnvVar> environment);

}  // namespace prx::sandbox
