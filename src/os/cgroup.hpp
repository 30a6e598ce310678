#pragma once

#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace prx::os {

/// Where this process is in the cgroup v2 tree, from the texts of /proc/self/mountinfo and /proc/self/cgroup;
/// empty where there is no such tree. Pure.
[[nodiscard]] std::string cgroup2_directory(std::string_view mountinfo, std::string_view cgroup);

/// The directory of this process's own v2 group, if it is writable. Not open otherwise: then trees are ended
/// by the subreaper's loop.
[[nodiscard]] base::Fd open_own_cgroup();

}  // namespace prx::os
