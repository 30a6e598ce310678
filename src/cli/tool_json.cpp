#include "cli/tool_json.hpp"

#include <utility>

#include "cli/output_json.hpp"
#include "io/json_value.hpp"

namespace prx::cli {

io::Json tool_json(const ToolInfo& tool) {
  auto annotations = io::Json::array();
  for (const auto& annotation : tool.annotations) annotations.push(annotation);
  auto object = io::Json::object();
  object.set("name", tool.name).set("kind", to_string(tool.kind)).set("group", tool.group);
  object.set("description", tool.description);
  object.set("parameters", io::Json(io::JsonValue::parse_or_null(tool.parameters_json)));
  object.set("annotations", std::move(annotations));
  return object;
}

io::Json result_json(const ToolResult& result) {
  auto object = io::Json::object();
  object.set("success", result.success).set("output", result.output);
  object.set("error", result.error.empty() ? io::Json() : io::Json(result.error));
  object.set("failure", result.failure ? failure_json(*result.failure) : io::Json());
  object.set("execution", result.execution ? output_json(*result.execution) : io::Json());
  return object;
}

}  // namespace prx::cli
