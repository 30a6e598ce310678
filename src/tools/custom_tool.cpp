#include "tools/custom_tool.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "io/json.hpp"
#include "tools/argument_template.hpp"

namespace prx::tools {
namespace {

constexpr std::size_t kMaxName = 64;

/// What all the APIs take as the name of a function.
bool is_callable_name(std::string_view name) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kMaxName && std::all_of(name.begin(), name.end(), is_good);
}

Error bad_tool(const std::string& name, const std::string& key, std::string detail, std::string hint) {
  const std::string subject = "tools.custom." + name + (key.empty() ? "" : "." + key);
  return {ErrorKind::invalid_request, "tool", subject, 0, std::move(detail), std::move(hint)};
}

/// What the schema does not say is not let in: an argument that no tool reads is a slip of the model's.
std::string closed_schema(const io::JsonValue& schema) {
  io::Json closed(schema);
  const bool says_so = !schema["additionalProperties"].is_null() || !schema["patternProperties"].is_null() ||
                       !schema["unevaluatedProperties"].is_null();
  if (schema["type"].is_null()) closed.set("type", "object");
  if (schema["properties"].is_null()) closed.set("properties", io::Json::object());
  if (!says_so) closed.set("additionalProperties", false);
  return closed.text();
}

class CustomPlan final : public CallPlan {
 public:
  CustomPlan(CustomToolConfig config, std::string program, ArgumentTemplate args)
      : config_(std::move(config)), program_(std::move(program)), args_(std::move(args)) {}

  [[nodiscard]] Result<ExecutionRequest> request(const io::JsonValue& arguments) const override {
    PRX_TRY(auto args, args_.fill(arguments));
    ExecutionRequest request;
    request.command = program_of(std::move(args));
    request.env = config_.env;
    if (config_.timeout) request.timeout = *config_.timeout;
    if (config_.input == ToolInput::json) request.input = StdinBytes{arguments.json() + "\n"};
    return request;
  }

 private:
  [[nodiscard]] Program program_of(std::vector<std::string> args) const {
    Program program{.file = program_, .args = std::move(args)};
    if (program.file.empty() && !program.args.empty()) {
      program.file = std::move(program.args.front());
      program.args.erase(program.args.begin());
    }
    return program;
  }

  CustomToolConfig config_;
  std::string program_;
  ArgumentTemplate args_;
};

Result<io::JsonValue> schema_of(const std::string& name, const CustomToolConfig& config) {
  PRX_TRY(const auto written,
          io::JsonValue::parse(config.parameters_json.empty() ? "{}" : config.parameters_json));
  if (const auto type = written["type"]; !type.is_null() && type.text() != "object") {
    return bad_tool(name, "parameters", "is not a schema of an object",
                    "the arguments of a call are an object: type = \"object\"");
  }
  return io::JsonValue::parse(closed_schema(written));
}

Result<void> check_names(const std::string& name, const ArgumentTemplate& args, const io::JsonValue& schema) {
  for (const auto& used : args.names()) {
    if (!schema["properties"][used].is_null()) continue;
    return bad_tool(name, "args", "names {" + used + "}, which is no parameter of the tool",
                    "add it to parameters.properties, or write {{ and }} for braces");
  }
  return {};
}

}  // namespace

Result<Tool> make_custom_tool(const std::string& name, const CustomToolConfig& config, bool is_module) {
  if (!is_callable_name(name)) {
    return bad_tool(name, {}, "is no name that a model can call",
                    "use at most 64 letters, digits, '_' and '-'");
  }
  const auto in_key = [&](const char* key) {
    return [&name, key](Error error) {
      error.detail = error.subject + ": " + error.detail;
      error.subject = "tools.custom." + name + "." + key;
      error.step = "tool";
      return error;
    };
  };
  PRX_TRY(auto args, ArgumentTemplate::parse(config.args).transform_error(in_key("args")));
  PRX_TRY(auto schema, schema_of(name, config));
  PRX_TRY(auto parameters, io::JsonSchema::compile(schema).transform_error(in_key("parameters")));
  PRX_CHECK(check_names(name, args, schema));
  const bool is_wasm = config.type == BackendChoice::wasm;
  std::string program = is_wasm ? config.module : is_module ? name : config.command;
  ToolInfo info{.name = name,
                .kind = ToolKind::custom,
                .description = config.description,
                .parameters_json = schema.json(),
                .annotations = config.annotations,
                .group = config.group.empty() ? "custom" : config.group};
  return Tool{std::move(info), std::move(parameters), std::move(schema),
              std::make_unique<CustomPlan>(config, std::move(program), std::move(args))};
}

}  // namespace prx::tools
