#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prx/config.hpp>

namespace prx::sandbox {

/// What no command may ever see, whatever is granted around it.
struct NeverVisible {
  std::string path;                 ///< absolute; may not exist
  std::string what;                 ///< "the Docker socket" …
  std::string origin = "built-in";  ///< the variable or key that says that it is there
  std::string key;                  ///< of the configuration, true shows it after all; empty: nothing does
};

/// prx's own folder in one of the user's base directories (a variable of the XDG specification and its
/// default below `home`); empty: nowhere.
[[nodiscard]] std::string own_folder(const char* variable, const std::string& home, const char* fallback);

/// prx's configuration, state and cache, and the sockets behind which something works that is not confined:
/// container engines, the agents of ssh and gpg, the message buses. Looks at the host's environment.
[[nodiscard]] std::vector<NeverVisible> find_never_visible(const Config& config, const std::string& home,
                                                           std::uint32_t uid);

/// Of the host's ssh agent, where the environment names one; otherwise empty.
[[nodiscard]] std::string ssh_agent_socket();

}  // namespace prx::sandbox
