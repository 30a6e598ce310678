#pragma once

#include <string>

#include <prx/config.hpp>

#include "protocol/plan_encoder.hpp"
#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// A sandbox as it was planned: the plan that is sent to its slots, and what led to it. Whatever is said
/// about a sandbox (`explain`, `why`, violations) is read off this, so it cannot differ from what is
/// enforced.
struct Blueprint {
  std::string kind;  ///< "namespaces" …
  Config config;     ///< for where each value was set
  Policy policy;
  protocol::PlanFields plan;
};

}  // namespace prx::sandbox
