#pragma once

#include <functional>
#include <memory>
#include <string>

#include <prx/config.hpp>

#include "protocol/plan_encoder.hpp"
#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// A sandbox as it was planned: the plan that is sent to its slots (its limits aside), and what led to it.
/// Whatever is said about a sandbox (`explain`, `why`, violations) is read off this, so it cannot differ from
/// what is enforced.
struct Blueprint {
  std::string kind;  ///< "namespaces" …
  Config config;     ///< for where each value was set
  Policy policy;
  protocol::PlanFields plan;
};

/// The blueprint of the plan that the last start had. Thread-safe.
using BlueprintSource = std::function<std::shared_ptr<const Blueprint>()>;

}  // namespace prx::sandbox
