#pragma once

#include <string>
#include <vector>

#include "sandbox/policy.hpp"

namespace prx::sandbox {

/// What of the granted trees is shown empty: what `hidden_paths` names (a path, or a glob where `*` stays in
/// one folder and `**` crosses them; relative ones are the workspace's) and what is never shown.
/// Error invalid_request for a pattern that would hide the workspace, or that takes too long to look for.
[[nodiscard]] Result<std::vector<std::string>> find_hidden(const Config& config, const Policy& policy,
                                                           const HostView& host);

/// Whether `path` matches `pattern`, both absolute.
[[nodiscard]] bool matches_glob(std::string_view path, std::string_view pattern);

}  // namespace prx::sandbox
