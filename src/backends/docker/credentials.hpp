#pragma once

#include <string>

#include <prx/result.hpp>

#include "io/descriptor_io.hpp"

namespace prx::backends {

/// What the daemon is told (X-Registry-Auth) so that it may pull from a registry, out of Docker's
/// configuration in `config_folder`: a helper of this registry, the helper of all, what is written there.
/// Empty where there is nothing. Errors of step "credentials", subject the helper: not_found, denied,
/// disconnected (ETIMEDOUT, ECANCELED). The secrets appear in no error and in no log.
[[nodiscard]] Result<std::string> find_registry_auth(const std::string& config_folder,
                                                     const std::string& registry,
                                                     const io::Patience& patience);

}  // namespace prx::backends
