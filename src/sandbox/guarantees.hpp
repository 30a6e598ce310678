#pragma once

#include <prx/config.hpp>
#include <prx/result.hpp>

namespace prx::sandbox {

/// Refuses a kind that does not give what `security.sandbox.require` names: unsupported, with the kinds that do;
/// invalid_request for a name that is none.
[[nodiscard]] Result<void> check_required(const Config& config, SandboxChoice kind);

}  // namespace prx::sandbox
