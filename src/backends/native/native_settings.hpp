#pragma once

#include <span>
#include <string>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "core/settings.hpp"

namespace prx::backends {

/// What native commands get from the configuration; reads nothing but whether the shells exist.
[[nodiscard]] Result<core::Settings> make_native_settings(const Config& config,
                                                          std::span<const std::string> host_env);

}  // namespace prx::backends
