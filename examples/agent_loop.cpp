/// An agent's loop with a scripted model: what the model asks for goes in, what came of it goes back.
///
///     agent_loop [--set KEY=VALUE]…
///
/// A real agent sends `toolbox.schema(…)` and the conversation to a model, and gets the calls from it. Here
/// the calls are written down: one that works, one with a slip that the error corrects, one that the policy
/// denies.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <prx/prx.hpp>

namespace {

/// Answers what a model would, step by step; what it was told last decides about the next call.
class ScriptedModel {
 public:
  /// The next call; an empty tool: it is done.
  prx::ToolCall next(const std::string& last_result) {
    switch (step_++) {
      case 0:
        return {.tool = "shell",
                .arguments = R"({"command": "printf 'one\ntwo\n' > notes.txt && wc -l < notes.txt"})"};
      case 1:
        return {.tool = "shel", .arguments = R"({"command": "cat notes.txt"})"};
      case 2:  // "did you mean shell?"
        return {.tool = last_result.find("did you mean shell?") == std::string::npos ? "" : "shell",
                .arguments = R"({"command": "cat notes.txt"})"};
      case 3:
        return {.tool = "shell", .arguments = R"({"command": "cd . && git push --force"})"};
      default:
        return {.tool = ""};
    }
  }

 private:
  int step_ = 0;
};

int fail(const prx::Error& error) {
  std::fprintf(stderr, "%s\nhint: %s\n", error.message().c_str(), error.hint.c_str());
  return 1;
}

prx::Result<prx::Toolbox> make_toolbox(const std::vector<std::string>& settings) {
  prx::ConfigSources sources = prx::ConfigSources::of_process();
  sources.settings = settings;
  auto config = prx::load_config(sources);
  if (!config) return std::move(config).error();
  config->security.tool_policy.tools.emplace("shell(git push:*)", prx::ToolRule::deny);
  prx::RuntimeOptions options;
  options.caller = "agent_loop";
  // Nobody to ask: what is supervised is denied.
  auto runtime = prx::create_runtime(*config, std::move(options));
  if (!runtime) return std::move(runtime).error();
  return prx::Toolbox::create(*config, std::move(*runtime));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--set") settings.emplace_back(argv[i + 1]);
  }
  const auto toolbox = make_toolbox(settings);
  if (!toolbox) return fail(toolbox.error());

  ScriptedModel model;
  std::string told;
  for (;;) {
    const prx::ToolCall call = model.next(told);
    if (call.tool.empty()) break;
    std::printf("model: %s %s\n", call.tool.c_str(), call.arguments.c_str());
    const prx::ToolResult result = toolbox->call(call);
    told = result.output;
    std::printf("%s: %s\n", result.success ? "result" : "failed", told.c_str());
  }
  return 0;
}
