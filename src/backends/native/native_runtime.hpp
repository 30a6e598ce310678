#pragma once

#include <memory>

#include <prx/config.hpp>
#include <prx/result.hpp>
#include <prx/runtime.hpp>
#include <prx/runtimes.hpp>

namespace prx::backends {

/// Commands as processes of this machine, each under a prx-init of its own. Errors: invalid_request for a
/// shell that is set and missing, unsupported for a sandbox that this build does not have.
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> make_native_runtime(const Config& config,
                                                                          HostKind host);

}  // namespace prx::backends
