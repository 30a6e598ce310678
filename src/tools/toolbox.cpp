#include <prx/tools.hpp>

#include <utility>

#include "app/tool_route.hpp"
#include "base/try.hpp"
#include "tools/arguments.hpp"
#include "tools/registry.hpp"
#include "tools/result_text.hpp"
#include "tools/schema_text.hpp"

namespace prx {
namespace tools {
namespace {

std::string below_workspace(const std::string& workspace, const std::string& directory) {
  if (workspace.empty() || directory.starts_with('/')) return directory;
  return directory.empty() ? workspace : workspace + "/" + directory;
}

}  // namespace
}  // namespace tools

std::string_view to_string(ToolKind kind) noexcept {
  return kind == ToolKind::builtin ? "builtin" : "custom";
}

Toolbox::Toolbox(std::unique_ptr<tools::Registry> registry, std::shared_ptr<RuntimeAdapter> runtime,
                 std::string workspace)
    : registry_(std::move(registry)), runtime_(std::move(runtime)), workspace_(std::move(workspace)) {}
Toolbox::~Toolbox() = default;
Toolbox::Toolbox(Toolbox&&) noexcept = default;
Toolbox& Toolbox::operator=(Toolbox&&) noexcept = default;

Result<Toolbox> Toolbox::create(const Config& config, std::shared_ptr<RuntimeAdapter> runtime) {
  const bool docker_chosen = runtime->name() == "docker";
  PRX_TRY(auto registry, tools::Registry::make(config, [&](const std::string& name) {
            return app::runs_module_of_its_name(config, name, docker_chosen);
          }));
  return Toolbox(std::make_unique<tools::Registry>(std::move(registry)), std::move(runtime),
                 config.workspace);
}

std::span<const ToolInfo> Toolbox::list() const noexcept {
  return registry_->list();
}

Result<std::string> Toolbox::schema(SchemaFormat format, std::span<const std::string> names) const {
  if (names.empty()) return tools::schema_text(list(), format);
  std::vector<ToolInfo> named;
  for (const auto& name : names) {
    PRX_TRY(const auto* tool, registry_->find(name));
    named.push_back(tool->info);
  }
  return tools::schema_text(named, format);
}

Result<ExecutionRequest> Toolbox::request_of(const ToolCall& call) const {
  PRX_TRY(const auto* tool, registry_->find(call.tool));
  PRX_TRY(const auto arguments, tools::read_arguments(*tool, call.arguments));
  PRX_TRY(auto request, tool->plan->request(arguments));
  request.working_dir = tools::below_workspace(workspace_, request.working_dir);
  request.tool = tool->info.name;
  request.tool_arguments = arguments.json();
  if (call.timeout) request.timeout = call.timeout;
  return request;
}

ToolResult Toolbox::call(const ToolCall& call) const {
  auto request = request_of(call);
  if (!request) return tools::result_of(std::move(request).error());
  auto output = runtime_->execute(std::move(request).value());
  if (!output) return tools::result_of(std::move(output).error());
  return tools::result_of(std::move(output).value());
}

}  // namespace prx
