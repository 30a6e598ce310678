#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prx/request.hpp>
#include <prx/result.hpp>

namespace prx::core {

/// Whether a variable tells a loader or an interpreter what to load before the program's first line. Such a
/// variable never comes from the host; set on purpose (a table, a tool, a request) it counts.
[[nodiscard]] bool is_loader_variable(std::string_view name) noexcept;

struct FilteredEnvironment {
  std::vector<EnvVar> passed;
  std::uint32_t withheld = 0;
};

/// The host's variables ("NAME=value") that `whitelist` names and that are no loader variables.
[[nodiscard]] FilteredEnvironment filter_environment(std::span<const std::string> host,
                                                     std::span<const std::string> whitelist);

/// `over` wins; order of first appearance is kept.
[[nodiscard]] std::vector<EnvVar> merge_environment(std::vector<EnvVar> base, std::span<const EnvVar> over);

/// Error kind invalid_request for an empty name, a '=' in a name, or a NUL anywhere.
[[nodiscard]] Result<void> check_variable(const EnvVar& variable);

/// The environment of the calling process. Read once, when a runtime is made: another thread of the host may
/// change it at any time.
[[nodiscard]] std::vector<std::string> process_environment();

}  // namespace prx::core
