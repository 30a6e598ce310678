#include <array>

#include "config/define_key.hpp"
#include "config/enums.hpp"
#include "config/schema.hpp"
#include "config/text_checks.hpp"

namespace prx::config {

namespace {

constexpr std::array kToolKeys{
    key<&CustomToolConfig::type>(
        {"type", rules::choice(kFixedBackendWords), R"("native")", Start::example,
         "The backend of the tool. Unset: runtime.backend; with \"auto\" docker if that was chosen, "
         "otherwise wasm if runtime.wasm.module_path has a module of the tool's name, otherwise native."}),
    key<&CustomToolConfig::command>({"command", rules::text("a command", checks::not_empty), R"("echo")",
                                     Start::example,
                                     "The program of a native tool, or what a docker tool runs in its image "
                                     "(unset: the first of its args)."}),
    key<&CustomToolConfig::module>(
        {"module", rules::path("the path or name of a module", checks::not_empty), R"("greet.wasm")",
         Start::alternative, "The module of a wasm tool: a path, or a file in runtime.wasm.module_path."}),
    key<&CustomToolConfig::image>({"image", rules::text("an image", checks::image), R"("alpine:3.20")",
                                   Start::alternative, "The image of a docker tool."}),
    key<&CustomToolConfig::args>({"args", rules::text("a list of arguments"), R"(["hello", "{name}"])",
                                  Start::example,
                                  "Arguments; they never go through a shell. {name} is that argument of the "
                                  "call; {{ and }} are braces."}),
    key<&CustomToolConfig::input>(
        {"input", rules::choice(kToolInputWords), R"("json")", Start::example,
         "What the tool reads on stdin: nothing, or the call's arguments as JSON. Unset: none."}),
    key<&CustomToolConfig::timeout>(
        {"timeout_secs", rules::seconds(), "10", Start::example,
         "Wall-clock time of a call. Unset: runtime.tool_timeouts, then runtime.default_timeout_secs."}),
    key<&CustomToolConfig::description>({"description", rules::text("a text"), R"("Greets somebody")",
                                         Start::example, "What a model is told about the tool."}),
    json_key<&CustomToolConfig::parameters_json>(
        {"parameters", rules::text("a table (a JSON schema)"),
         R"({ type = "object", properties = { name = { type = "string" } } })", Start::example,
         "The JSON schema of the tool's input."}),
    key<&CustomToolConfig::annotations>({"annotations",
                                         rules::text("a list of annotations", checks::annotation),
                                         R"(["read_only"])", Start::example,
                                         "What a model's program is told of it: \"read_only\", "
                                         "\"destructive\", \"idempotent\", \"open_world\"."}),
    key<&CustomToolConfig::group>({"group", rules::text("a group", checks::name), R"("greetings")",
                                   Start::example,
                                   "Its group in security.tool_policy.groups. Unset: custom."}),
    key<&CustomToolConfig::env>({"env",
                                 rules::table("a table of variables, each with a string", checks::env_name),
                                 R"(GREETING = "hello")", Start::example, "Variables of the tool."}),
};

constexpr std::array kServerKeys{
    key<&McpServerConfig::command>({"command", rules::text("a command", checks::not_empty), R"("npx")",
                                    Start::example, "The program of a local server."}),
    key<&McpServerConfig::args>({"args", rules::text("a list of arguments"),
                                 R"(["-y", "@modelcontextprotocol/server-everything"])", Start::example,
                                 "Its arguments."}),
    key<&McpServerConfig::url>({"url", rules::text("an http:// or https:// URL", checks::web_url),
                                R"("https://example.com/mcp")", Start::alternative,
                                "The address of a remote server, instead of a command."}),
    key<&McpServerConfig::transport>(
        {"transport", rules::text("\"stdio\", \"http\" or \"sse\"", checks::transport), R"("stdio")",
         Start::example, "How to talk to it. Unset: \"stdio\" with a command, \"http\" with a URL."}),
    key<&McpServerConfig::runtime>({"runtime", rules::choice(kBackendWords), R"("native")", Start::example,
                                    "The backend that hosts a local server. Unset: runtime.backend."}),
    key<&McpServerConfig::allow_tools>({"allow_tools", rules::text("a list of tools", checks::name),
                                        R"(["echo"])", Start::example,
                                        "The only tools that are offered. Unset: all."}),
    key<&McpServerConfig::deny_tools>({"deny_tools", rules::text("a list of tools", checks::name), "[]",
                                       Start::example, "Tools that are never offered."}),
    key<&McpServerConfig::tool_name_prefix>({"tool_name_prefix", rules::text("a prefix"), R"("everything_")",
                                             Start::example, "Put before the name of each of its tools."}),
    key<&McpServerConfig::env>({"env",
                                rules::table("a table of variables, each with a string", checks::env_name),
                                R"(LOG_LEVEL = "info")", Start::example, "Variables of a local server."}),
};

}  // namespace

std::span<const Key<CustomToolConfig>> tool_keys() noexcept {
  return kToolKeys;
}
std::span<const Key<McpServerConfig>> server_keys() noexcept {
  return kServerKeys;
}

}  // namespace prx::config
