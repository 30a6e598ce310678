#pragma once

#include <string_view>

#include "sandbox/protection.hpp"

namespace prx::sandbox {

/// Whether git would read nothing from this configuration that names a program, a file or a transport of its
/// own. Pure.
[[nodiscard]] bool is_harmless_git_config(std::string_view text);

/// Whether what is at `name` in `directory` may stay there. Follows no link.
[[nodiscard]] bool is_harmless(int directory, const char* name, Harmless as);

}  // namespace prx::sandbox
