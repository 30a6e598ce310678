#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

namespace prx::os {

/// Where something is mounted below `directory` (a path without links), itself not counted. Error kind
/// unavailable without /proc.
[[nodiscard]] Result<std::vector<std::string>> mount_points_below(std::string_view directory);

/// The mount points that a text in the form of /proc/PID/mountinfo names.
[[nodiscard]] std::vector<std::string> parse_mount_points(std::string_view mountinfo);

}  // namespace prx::os
