#pragma once

#include <span>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// How the slots of one runtime are confined.
struct Sandbox {
  std::string kind;               ///< "namespaces", "none" …
  std::string plan;               ///< encoded protocol::PlanFields; empty: not confined
  std::string workspace;          ///< as commands see it
  bool denials_observed = false;  ///< the filter tells what it refuses
  std::vector<EnvVar> env;        ///< replaces what comes from the host: PATH without what cannot be seen
  std::vector<std::string> warnings;
};

/// What `[security]` means to this process, on this machine. `environment` as for make_sandbox().
[[nodiscard]] Result<Policy> make_policy_here(const Config& config, std::span<const EnvVar> environment);

/// Plans what `[security]` asks for. `environment` is what a command would get of the host's.
/// Errors: invalid_request, unsupported, unavailable (this machine cannot make what is asked for).
[[nodiscard]] Result<Sandbox> make_sandbox(const Config& config, std::span<const EnvVar> environment);

}  // namespace prx::sandbox
