#include "tools/schema_text.hpp"

#include <algorithm>
#include <utility>

#include "io/json.hpp"
#include "io/json_value.hpp"

namespace prx::tools {
namespace {

io::Json parameters_of(const ToolInfo& tool) {
  return io::Json(io::JsonValue::parse_or_null(tool.parameters_json));
}

io::Json as_openai(const ToolInfo& tool) {
  auto function = io::Json::object();
  function.set("name", tool.name).set("description", tool.description);
  function.set("parameters", parameters_of(tool));
  auto object = io::Json::object();
  object.set("type", "function").set("function", std::move(function));
  return object;
}

io::Json as_anthropic(const ToolInfo& tool) {
  auto object = io::Json::object();
  object.set("name", tool.name).set("description", tool.description);
  object.set("input_schema", parameters_of(tool));
  return object;
}

io::Json hints_of(const ToolInfo& tool) {
  const auto has = [&](std::string_view name) {
    return std::find(tool.annotations.begin(), tool.annotations.end(), name) != tool.annotations.end();
  };
  auto hints = io::Json::object();
  hints.set("readOnlyHint", has("read_only")).set("destructiveHint", has("destructive"));
  hints.set("idempotentHint", has("idempotent")).set("openWorldHint", has("open_world"));
  return hints;
}

io::Json as_mcp(const ToolInfo& tool) {
  auto object = io::Json::object();
  object.set("name", tool.name).set("description", tool.description);
  object.set("inputSchema", parameters_of(tool));
  if (!tool.annotations.empty()) object.set("annotations", hints_of(tool));
  return object;
}

}  // namespace

std::string schema_text(std::span<const ToolInfo> tools, SchemaFormat format) {
  auto list = io::Json::array();
  for (const auto& tool : tools) {
    switch (format) {
      case SchemaFormat::openai:
        list.push(as_openai(tool));
        break;
      case SchemaFormat::anthropic:
        list.push(as_anthropic(tool));
        break;
      case SchemaFormat::mcp:
        list.push(as_mcp(tool));
        break;
    }
  }
  return list.text();
}

}  // namespace prx::tools
