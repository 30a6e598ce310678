#pragma once

#include <cstdint>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "sandbox/policy.hpp"

namespace prx::sandbox {

struct HostIdentity {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
};

/// Whose id a command has in a kind of sandbox that can give it none of its own: the caller's; for root that of
/// the one ordinary user to whom all that is writable belongs; root's own only with allow_root_id.
/// Errors: unsupported, with the kinds that can do better.
[[nodiscard]] Result<HostIdentity> choose_host_identity(const Policy& policy, SandboxChoice kind);

}  // namespace prx::sandbox
