#pragma once

#include <span>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "core/settings.hpp"
#include "protocol/wasm_setup.hpp"

namespace prx::backends {

/// What holds for every module of a runtime. `host_env` is "NAME=value". Pure.
/// Error kind unsupported for a rule of `[security]` that the user set and that modules cannot be held to.
[[nodiscard]] Result<core::Settings> make_wasm_settings(const Config& config,
                                                        std::span<const std::string> host_env);

/// The directories of `[runtime.wasm.capabilities]`, links resolved; what is granted for writing and reading
/// is writable. Error kind invalid_request for one that does not exist or is no directory.
[[nodiscard]] Result<std::vector<protocol::WasmDirectory>> granted_directories(const Config& config,
                                                                               const std::string& workspace);

}  // namespace prx::backends
