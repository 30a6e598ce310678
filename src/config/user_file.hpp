#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <prx/config.hpp>

namespace prx::config {

inline constexpr std::size_t kMaxFileBytes = 1U << 20U;

/// Which file is the user's.
struct UserFile {
  std::string path;         ///< empty: there is no place for one (no HOME)
  bool must_exist = false;  ///< named on purpose
};

struct FileProblem {
  int os_errno = 0;  ///< 0 where no call failed
  std::string text;
  std::string hint;
};

/// The value of a variable in "NAME=value" entries; empty where it is unset or empty.
[[nodiscard]] std::string_view find_variable(const std::vector<std::string>& environment,
                                             std::string_view name) noexcept;

/// HOME, where it is an absolute path; empty otherwise.
[[nodiscard]] std::string_view home_of(const std::vector<std::string>& environment) noexcept;

[[nodiscard]] UserFile locate_user_file(const ConfigSources& sources);

/// The text of the file; nothing where it does not exist and need not. Never waits: only regular files are
/// read (and /dev/null, which is an empty one).
[[nodiscard]] std::variant<std::optional<std::string>, FileProblem> read_user_file(const UserFile& file);

}  // namespace prx::config
