#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/blueprint.hpp"

namespace prx::sandbox {

/// What decides about a path inside. The names are stable: `--json` carries them.
enum class Rule : std::uint8_t {
  unconfined,  ///< there is no sandbox
  workspace,
  granted,  ///< readonly_paths, writable_paths, a toolchain, git's own folders
  system,   ///< programs, libraries, the system's configuration
  device,
  process_view,   ///< a procfs of its own
  private_place,  ///< HOME, /tmp and the like: writable, empty, gone afterwards
  identity,       ///< the command runs as somebody that this file does not admit
  resolver,
  protected_path,
  hidden_path,
  never_visible,  ///< of prx, or a socket behind which something works that is not confined
  quarantined,    ///< may be made, but what appears there is moved away
  not_shown,      ///< nothing puts it into the sandbox
  skeleton,       ///< folders that only hold what is shown
  landlock,       ///< the second wall, or the only one
  permissions,    ///< the file's own, the same without a sandbox
  absent,         ///< it exists neither inside nor outside
};

[[nodiscard]] std::string_view to_string(Rule rule) noexcept;

/// A rule, and what made it: a key with the place where it was set, or a default.
struct Attribution {
  Rule rule = Rule::not_shown;
  std::string reason;
};

/// What put an entry into the plan.
[[nodiscard]] Attribution attribute(const protocol::MountFields& mount, const Blueprint& blueprint,
                                    const HostView& host);

/// The innermost of the granted trees that hold a path; none: nullptr.
[[nodiscard]] const Grant* grant_around(const std::string& path, const Policy& policy);

/// The entry that a path of the host belongs to; none: nullptr.
[[nodiscard]] const NeverVisible* never_visible_at(const std::string& path, const Policy& policy,
                                                   const HostView& host);
/// "the Docker socket, never shown (DOCKER_HOST)"
[[nodiscard]] std::string describe(const NeverVisible& entry);

/// Why nothing that appears at a path stays there; empty where it does.
[[nodiscard]] std::string quarantine_reason(const std::string& path, const Blueprint& blueprint);

/// "security.sandbox.hidden_paths (config.toml:3:1)"
[[nodiscard]] std::string describe_key(const Config& config, std::string_view key);

/// What would change a refusal.
struct Change {
  std::string text;    ///< `add "/x" to security.sandbox.readonly_paths (built-in)`; empty: nothing does
  std::string option;  ///< the same for one run, as a word of the command line; may be empty
};

/// That `path` is also listed under `key`, a list of paths.
[[nodiscard]] Change add_to_list(const Config& config, std::string_view key,
                                 const std::vector<std::string>& list, const std::string& path);
[[nodiscard]] Change set_true(const Config& config, std::string_view key);
[[nodiscard]] Change show_path(const Config& config, const std::string& path, bool writable);

}  // namespace prx::sandbox
