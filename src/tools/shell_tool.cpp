#include "tools/shell_tool.hpp"

#include <utility>

#include "base/try.hpp"

namespace prx::tools {
namespace {

constexpr std::string_view kParameters = R"({
"type":"object",
"properties":{
"command":{"type":"string","minLength":1,"description":"A shell line: pipes, globs and variables work."},
"cwd":{"type":"string","minLength":1,"description":"The directory it starts in. Relative to the workspace, which is the default."},
"timeout":{"type":"number","exclusiveMinimum":0,"maximum":86400,"description":"Seconds after which the command is ended."},
"stdin":{"type":"string","description":"What the command reads on stdin. Nothing by default."}},
"required":["command"],
"additionalProperties":false})";

class ShellPlan final : public CallPlan {
 public:
  [[nodiscard]] Result<ExecutionRequest> request(const io::JsonValue& arguments) const override {
    ExecutionRequest request;
    request.command = ShellLine{arguments["command"].text()};
    request.working_dir = arguments["cwd"].text();
    if (const auto timeout = arguments["timeout"]; timeout.is_number()) {
      request.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(timeout.real() * 1000));
    }
    if (const auto input = arguments["stdin"]; input.is_text()) request.input = StdinBytes{input.text()};
    return request;
  }
};

}  // namespace

Result<Tool> make_shell_tool() {
  PRX_TRY(auto schema, io::JsonValue::parse(kParameters));
  PRX_TRY(auto parameters, io::JsonSchema::compile(schema));
  ToolInfo info{.name = std::string(kShellTool),
                .kind = ToolKind::builtin,
                .description =
                    "Runs a shell line in the workspace and returns what it printed. Everything it "
                    "started is ended when it ends.",
                .parameters_json = schema.json(),
                .annotations = {"destructive"},
                .group = "builtin"};
  return Tool{std::move(info), std::move(parameters), std::move(schema), std::make_unique<ShellPlan>()};
}

}  // namespace prx::tools
