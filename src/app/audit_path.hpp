#pragma once

#include <string>

#include <prx/config.hpp>

namespace prx::app {

/// security.audit.path, or audit.jsonl in prx's state folder. Error kind invalid_request: there is no HOME.
[[nodiscard]] Result<std::string> audit_path(const Config& config);

}  // namespace prx::app
