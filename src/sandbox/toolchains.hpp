#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sandbox/policy.hpp"

namespace prx::sandbox {

[[nodiscard]] std::vector<std::string> split_path(std::string_view path);

/// Tools that live in the home directory, which a command does not see: for each entry of $PATH there, the
/// root of the tool it belongs to, read-only; never a directory that holds credentials.
[[nodiscard]] std::vector<Grant> find_toolchains(const Caller& caller, const HostView& host);

}  // namespace prx::sandbox
