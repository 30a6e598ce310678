#include "app/tool_route.hpp"

#include <filesystem>
#include <string>
#include <system_error>

namespace prx::app {
namespace {

bool has_module(const Config& config, std::string_view tool) {
  const auto path = std::filesystem::path(config.runtime.wasm.module_path) / (std::string(tool) + ".wasm");
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

BackendChoice route_of(const Config& config, std::string_view tool, bool docker_chosen) {
  const auto custom = config.custom_tools.find(std::string(tool));
  if (custom == config.custom_tools.end()) return BackendChoice::automatic;
  if (custom->second.type) return *custom->second.type;
  if (config.runtime.backend != BackendChoice::automatic || docker_chosen) return BackendChoice::automatic;
  return has_module(config, tool) ? BackendChoice::wasm : BackendChoice::automatic;
}

bool runs_module_of_its_name(const Config& config, std::string_view tool, bool docker_chosen) {
  const auto custom = config.custom_tools.find(std::string(tool));
  if (custom == config.custom_tools.end() || custom->second.type) return false;
  return config.runtime.backend == BackendChoice::wasm ||
         route_of(config, tool, docker_chosen) == BackendChoice::wasm;
}

}  // namespace prx::app
