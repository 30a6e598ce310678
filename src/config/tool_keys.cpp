#include <array>

#include "config/define_key.hpp"
#include "config/enums.hpp"
#include "config/schema.hpp"
#include "config/text_checks.hpp"

namespace prx::config {

namespace {

template <class Access>
constexpr Key<CustomToolConfig> tool(const KeyInfo& info, Access access) {
  return define_key<CustomToolConfig>(info, access);
}

template <class Access>
constexpr Key<McpServerConfig> server(const KeyInfo& info, Access access) {
  return define_key<McpServerConfig>(info, access);
}

constexpr std::array kToolKeys{
    tool({"type", rules::choice(kFixedBackendWords), R"("native")", Start::example,
          "The backend of the tool."},
         [](auto& c) -> auto& { return c.type; }),
    tool({"command", rules::text("a command", checks::not_empty), R"("echo")", Start::example,
          "The program of a native tool, or what a docker tool runs in its image."},
         [](auto& c) -> auto& { return c.command; }),
    tool({"module", rules::path("the path or name of a module", checks::not_empty), R"("greet.wasm")",
          Start::alternative, "The module of a wasm tool: a path, or a file in runtime.wasm.module_path."},
         [](auto& c) -> auto& { return c.module; }),
    tool({"image", rules::text("an image", checks::image), R"("alpine:3.20")", Start::alternative,
          "The image of a docker tool."},
         [](auto& c) -> auto& { return c.image; }),
    tool({"args", rules::text("a list of arguments"), R"(["hello", "{name}"])", Start::example,
          "Arguments; they never go through a shell."},
         [](auto& c) -> auto& { return c.args; }),
    tool({"timeout_secs", rules::seconds(), "10", Start::example,
          "Wall-clock time of a call. Unset: runtime.tool_timeouts, then runtime.default_timeout_secs."},
         [](auto& c) -> auto& { return c.timeout; }),
    tool({"description", rules::text("a text"), R"("Greets somebody")", Start::example,
          "What a model is told about the tool."},
         [](auto& c) -> auto& { return c.description; }),
    tool({"parameters", rules::text("a table (a JSON schema)"),
          R"({ type = "object", properties = { name = { type = "string" } } })", Start::example,
          "The JSON schema of the tool's input."},
         [](auto& c) { return JsonText{c.parameters_json}; }),
    tool({"env", rules::table("variables, each with a string", checks::env_name), R"(GREETING = "hello")",
          Start::example, "Variables of the tool."},
         [](auto& c) -> auto& { return c.env; }),
};

constexpr std::array kServerKeys{
    server({"command", rules::text("a command", checks::not_empty), R"("npx")", Start::example,
            "The program of a local server."},
           [](auto& c) -> auto& { return c.command; }),
    server({"args", rules::text("a list of arguments"),
            R"(["-y", "@modelcontextprotocol/server-everything"])", Start::example, "Its arguments."},
           [](auto& c) -> auto& { return c.args; }),
    server({"url", rules::text("an http:// or https:// URL", checks::web_url), R"("https://example.com/mcp")",
            Start::alternative, "The address of a remote server, instead of a command."},
           [](auto& c) -> auto& { return c.url; }),
    server({"transport", rules::text("\"stdio\", \"http\" or \"sse\"", checks::transport), R"("stdio")",
            Start::example, "How to talk to it. Unset: \"stdio\" with a command, \"http\" with a URL."},
           [](auto& c) -> auto& { return c.transport; }),
    server({"runtime", rules::choice(kBackendWords), R"("native")", Start::example,
            "The backend that hosts a local server. Unset: runtime.backend."},
           [](auto& c) -> auto& { return c.runtime; }),
    server({"allow_tools", rules::text("a list of tools", checks::name), R"(["echo"])", Start::example,
            "The only tools that are offered. Unset: all."},
           [](auto& c) -> auto& { return c.allow_tools; }),
    server({"deny_tools", rules::text("a list of tools", checks::name), "[]", Start::example,
            "Tools that are never offered."},
           [](auto& c) -> auto& { return c.deny_tools; }),
    server({"tool_name_prefix", rules::text("a prefix"), R"("everything_")", Start::example,
            "Put before the name of each of its tools."},
           [](auto& c) -> auto& { return c.tool_name_prefix; }),
    server({"env", rules::table("variables, each with a string", checks::env_name), R"(LOG_LEVEL = "info")",
            Start::example, "Variables of a local server."},
           [](auto& c) -> auto& { return c.env; }),
};

}  // namespace

std::span<const Key<CustomToolConfig>> tool_keys() noexcept {
  return kToolKeys;
}
std::span<const Key<McpServerConfig>> server_keys() noexcept {
  return kServerKeys;
}

}  // namespace prx::config
