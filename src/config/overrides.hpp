#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

namespace prx::config {

/// Puts the PRX_ variables of an environment ("NAME=value") over `config`. `home` expands "~/".
void read_variables(const std::vector<std::string>& environment, std::string_view home,
                    std::vector<ConfigFinding>& findings, Config& config);

/// Puts settings ("key=value") over `config`, later ones over earlier ones.
void read_settings(const std::vector<std::string>& settings, std::string_view home,
                   std::vector<ConfigFinding>& findings, Config& config);

}  // namespace prx::config
