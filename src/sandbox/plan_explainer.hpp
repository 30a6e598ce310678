#pragma once

#include <memory>

#include "core/failure_explainer.hpp"
#include "sandbox/blueprint.hpp"
#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// Explains failures from a plan. A path in the output counts only where the command named the errno that the
/// plan gives for it, and the path is there on the host: so an ordinary missing file or permission is never
/// said to be the sandbox's doing. File systems that may not answer are not asked (local_host.hpp).
[[nodiscard]] std::shared_ptr<const core::FailureExplainer> make_plan_explainer(BlueprintSource source);

/// The same without the machine.
void explain_output(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
                    ExecutionOutput& output);
void explain_error(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
                   Error& error);

}  // namespace prx::sandbox
