#pragma once

#include <functional>
#include <string>

#include <prx/config.hpp>

namespace prx::cli {

enum class CheckState {
  good,
  limited,  ///< prx works with less
  missing,  ///< something of prx does not work
};

/// What one probe found out about this machine.
struct Check {
  std::string name;
  CheckState state = CheckState::good;
  std::string found;
  std::string remedy;  ///< what to do about it, empty when good

  [[nodiscard]] static Check good(std::string found);
  [[nodiscard]] static Check limited(std::string found, std::string remedy);
  [[nodiscard]] static Check missing(std::string found, std::string remedy);
};

[[nodiscard]] std::string_view to_string(CheckState state) noexcept;

/// Runs `probe` in a process of its own, for at most two seconds: it may change its process for good,
/// hang on a dead file system or crash. Only before any thread was started.
[[nodiscard]] Check run_bounded(const std::string& name, const std::function<Check()>& probe);

// The probes. Each really does what it reports about, and leaves nothing behind.
[[nodiscard]] Check probe_kernel();
[[nodiscard]] Check probe_memfd();
[[nodiscard]] Check probe_user_namespaces();
[[nodiscard]] Check probe_landlock();
[[nodiscard]] Check probe_seccomp();
[[nodiscard]] Check probe_cgroups();
[[nodiscard]] Check probe_ptys();
[[nodiscard]] Check probe_shell(const Config& config);
[[nodiscard]] Check probe_path();

}  // namespace prx::cli
