#pragma once

#include <string_view>

#include <prx/config.hpp>

namespace prx::app {

/// Where a tool's calls run: `automatic` is the backend that the runtime has by itself. Looks whether a
/// module is there, and changes nothing.
///
/// A tool's own type wins. Without one, a tool of [tools.custom] goes where runtime.backend says; with "auto"
/// to docker where that was chosen, otherwise to wasm if runtime.wasm.module_path has NAME.wasm, otherwise
/// where everything goes.
[[nodiscard]] BackendChoice route_of(const Config& config, std::string_view tool, bool docker_chosen);

/// Whether a tool without a type runs the module of its name.
[[nodiscard]] bool runs_module_of_its_name(const Config& config, std::string_view tool, bool docker_chosen);

}  // namespace prx::app
