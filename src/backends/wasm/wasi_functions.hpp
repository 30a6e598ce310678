#pragma once

#include <string_view>

namespace prx::backends {

inline constexpr std::string_view kWasiPreview1 = "wasi_snapshot_preview1";

/// What a module can do nothing with unless `[runtime.wasm.capabilities]` grants it.
enum class Capability { none, filesystem_read, filesystem_write, network, env_vars };

/// The key of the configuration, below `runtime.wasm.capabilities`.
[[nodiscard]] std::string_view to_string(Capability capability) noexcept;

/// What the function of WASI preview 1 is for; nullptr where there is no such function.
[[nodiscard]] const Capability* wasi_function(std::string_view name) noexcept;

}  // namespace prx::backends
