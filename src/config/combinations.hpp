#pragma once

#include <vector>

#include <prx/config.hpp>

namespace prx::config {

/// Finds what is right key by key and impossible together. Of two keys that contradict each other both must
/// have been set by the user: a set key beats a default.
void check_combinations(const Config& config, std::vector<ConfigFinding>& findings);

}  // namespace prx::config
