#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/seccomp_rules.hpp"

namespace prx::sandbox {

/// What a filter refuses by name.
struct RefusedCalls {
  protocol::SeccompRule rule = protocol::SeccompRule::unknown;
  std::vector<std::string> calls;  ///< some of them only with certain arguments
};

/// Runs the filter of a plan (the bytes of struct sock_filter) on each call that prx knows a denial for, so
/// that what is said of a filter is what it does. In the order of protocol::SeccompRule.
[[nodiscard]] std::vector<RefusedCalls> refused_calls(std::string_view filter);

/// Whether no internet socket can be made.
[[nodiscard]] bool refuses_network(std::string_view filter);

}  // namespace prx::sandbox
