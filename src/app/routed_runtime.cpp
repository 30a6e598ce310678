#include "app/routed_runtime.hpp"

#include <string>
#include <utility>

#include "app/create_backend.hpp"
#include "app/tool_route.hpp"
#include "base/try.hpp"

namespace prx::app {
namespace {

/// The images of docker tools are where the docker backend looks for them.
Config with_tool_images(Config config) {
  for (const auto& [name, tool] : config.custom_tools) {
    if (!tool.image.empty()) config.runtime.docker.tool_images[name] = tool.image;
  }
  return config;
}

}  // namespace

RoutedRuntime::RoutedRuntime(Config config, HostKind host, std::unique_ptr<RuntimeAdapter> main)
    : config_(with_tool_images(std::move(config))), host_(host), main_(std::move(main)) {}

Result<RuntimeAdapter*> RoutedRuntime::runtime_for(const std::string& tool) {
  if (tool.empty()) return main_.get();
  const auto route = route_of(config_, tool, main_->name() == "docker");
  if (route == BackendChoice::automatic || to_string(route) == main_->name()) return main_.get();
  const std::scoped_lock lock(mutex_);
  auto& other = others_[route];
  if (!other) {
    PRX_TRY(other, create_backend(config_, route, host_));
  }
  return other.get();
}

Result<Execution> RoutedRuntime::start(ExecutionRequest request, ExecutionEvents events) {
  PRX_TRY(auto* runtime, runtime_for(request.tool));
  return runtime->start(std::move(request), std::move(events));
}

Result<ExecutionOutput> RoutedRuntime::execute(ExecutionRequest request) {
  PRX_TRY(auto* runtime, runtime_for(request.tool));
  return runtime->execute(std::move(request));
}

}  // namespace prx::app
