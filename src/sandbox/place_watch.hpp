#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/workspace_watch.hpp"
#include "sandbox/protection.hpp"
#include "sandbox/quarantine.hpp"

namespace prx::sandbox {

/// Remembers what is at each place now. What is there at the end and was not, or is something else, goes into
/// quarantine, unless it is harmless. No link is followed on the way.
[[nodiscard]] Result<std::unique_ptr<core::WorkspaceWatch>> watch_places(
    std::shared_ptr<const std::vector<WatchedPlace>> places, Quarantine quarantine);

}  // namespace prx::sandbox
