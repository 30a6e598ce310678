#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <prx/runtimes.hpp>
#include <prx/tools.hpp>

#include "base/printable.hpp"
#include "base/try.hpp"
#include "cli/failure.hpp"
#include "cli/page.hpp"
#include "cli/parse.hpp"
#include "cli/quantity.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"
#include "cli/tool_batch.hpp"
#include "cli/tool_json.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 4> kSynopsis{
    "list [options]", "schema [NAME...] [--format openai|anthropic|mcp]", "call [options] NAME ['{...}'|-]",
    "call [options] --batch"};
constexpr std::array<std::string_view, 3> kDescription{
    "What an agent's program calls: the built-in tool shell, and those of [tools.custom.<name>]. The "
    "arguments "
    "of a call are a JSON object that is held against the tool's schema; what does not fit is an error that "
    "says what would, and nothing is run. - reads the object from stdin.",
    "call prints what a model is to read of it, and ends with the tool's own exit status. With --json it "
    "prints an object: success, output, error, and everything about the execution.",
    "--batch reads calls from stdin, one JSON object a line: {\"id\": ..., \"tool\": NAME, \"arguments\": "
    "{...}}, and prints one such object for each, with its id, as it ends. Several run at once."};
constexpr std::array<Term, 3> kActions{{
    {"list", "the tools there are"},
    {"schema", "the tools as an API takes them: a JSON array; of those that are named, or of all"},
    {"call", "check a call and run it"},
}};
constexpr std::array<Term, 5> kExitStatus{{
    {"0-255", "call: the tool's own exit status"},
    {"124", "it ran out of time"},
    {"125", "it was refused, or could not be set up"},
    {"0", "--batch: every line was answered, whatever came of the calls"},
    {"1", "--batch: a line was no call"},
}};
constexpr std::array<TermSection, 2> kSections{{{"Actions", kActions}, {"Exit status", kExitStatus}}};
constexpr std::array<Term, 3> kExamples{{
    {"prx tool call shell '{\"command\": \"ls\"}'", "a call of the built-in shell"},
    {"prx tool schema --format anthropic", "what a model is told of the tools"},
    {"prx tool call --batch < calls.jsonl", "many calls, several at once"},
}};

/// More than any call may have, so that one that is too large is refused for that.
constexpr std::size_t kMaxInput = (1U << 20U) + 1;

Result<std::string> read_stdin() {
  std::string text(kMaxInput, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(STDIN_FILENO, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{ErrorKind::setup_failed, "stdin", "stdin", errno, "cannot be read", {}};
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

std::string list_text(std::span<const ToolInfo> tools) {
  std::size_t width = 0;
  for (const auto& tool : tools) width = std::max(width, tool.name.size());
  std::string text;
  for (const auto& tool : tools) {
    text += fmt::format("{:<{}}  {:<8} {}\n", tool.name, width, to_string(tool.kind),
                        base::printable(tool.description));
  }
  return text;
}

std::string list_json(std::span<const ToolInfo> tools) {
  auto list = io::Json::array();
  for (const auto& tool : tools) list.push(tool_json(tool));
  auto object = io::Json::object();
  object.set("tools", std::move(list));
  return object.text() + "\n";
}

class ToolCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("ACTION", action_, "what to do")->type_name("list|schema|call")->group("Operands");
    app.add_option("NAME", words_, "a tool; for call, then its arguments")
        ->type_name("NAME")
        ->group("Operands");
    app.add_option("--format", format_, "of schema: whose API is to take it (default: openai)")
        ->type_name("openai|anthropic|mcp")
        ->group("Schema");
    app.add_flag("--batch", batch_, "read calls from stdin, one JSON object a line")->group("Call");
    app.add_option("--jobs", jobs_, "how many calls of a batch run at once (default: one for each CPU)")
        ->type_name("N")
        ->check(CLI::Range(1U, 1024U))
        ->group("Call");
    app.add_option("--timeout", timeout_,
                   "end a call after this time instead of the tool's own: 2s, 500ms; 0: never")
        ->type_name("TIME")
        ->group("Call");
    app.add_option("--workspace", workspace_, "the directory that calls may write to (default: here)")
        ->type_name("DIR")
        ->group("Call");
    add_plain_flag(app, "--json", "print JSON objects", "Output");
    declare_config_options(app, file_, settings_);
  }

  int run(Operands operands) override {
    words_.insert(words_.end(), operands.words.begin(), operands.words.end());
    std::signal(SIGPIPE, SIG_IGN);
    const auto status = act(operands.json);
    return status ? *status : report_failure(status.error(), operands.json);
  }

 private:
  [[nodiscard]] Result<int> act(bool json) {
    if (action_ == "list") return list(json);
    if (action_ == "schema") return schema();
    if (action_ == "call") return batch_ ? call_batch() : call(json);
    const std::string what = action_.empty() ? "an action is missing" : "no such action";
    return usage_error("tool" + (action_.empty() ? "" : " " + action_), what,
                       "prx tool list, schema or call");
  }

  [[nodiscard]] Result<Toolbox> toolbox(HostKind host) const {
    PRX_TRY(Config config, load_config(config_sources(file_, settings_)));
    config.workspace = workspace_;
    PRX_TRY(auto runtime, create_runtime(config, host));
    return Toolbox::create(config, std::move(runtime));
  }

  [[nodiscard]] Result<int> list(bool json) const {
    if (!words_.empty()) return usage_error(words_.front(), "list takes options only", "prx tool list");
    PRX_TRY(const auto toolbox, this->toolbox(HostKind::one_shot));
    return print_result(json ? list_json(toolbox.list()) : list_text(toolbox.list()));
  }

  [[nodiscard]] Result<int> schema() const {
    PRX_TRY(const auto format, format_of(format_));
    PRX_TRY(const auto toolbox, this->toolbox(HostKind::one_shot));
    PRX_TRY(const auto text, toolbox.schema(format, words_));
    return print_result(text + "\n");
  }

  [[nodiscard]] static Result<SchemaFormat> format_of(const std::string& word) {
    if (word.empty() || word == "openai") return SchemaFormat::openai;
    if (word == "anthropic") return SchemaFormat::anthropic;
    if (word == "mcp") return SchemaFormat::mcp;
    return usage_error("--format", "'" + word + "' is not known", "openai, anthropic or mcp");
  }

  [[nodiscard]] Result<std::optional<std::chrono::milliseconds>> timeout() const {
    std::optional<std::chrono::milliseconds> timeout;
    if (timeout_.empty()) return timeout;
    timeout = try_duration(timeout_);
    if (timeout) return timeout;
    return usage_error("--timeout", "'" + timeout_ + "' is not a duration",
                       "write 2s, 500ms, 1m, or 0 for none");
  }

  [[nodiscard]] Result<int> call(bool json) const {
    if (words_.empty()) return usage_error("call", "which tool?", "prx tool call NAME '{...}'");
    if (words_.size() > 2) {
      return usage_error(words_[2], "the arguments of a call are one JSON object", "quote it: '{...}'");
    }
    ToolCall call{.tool = words_.front()};
    PRX_TRY(call.timeout, timeout());
    if (words_.size() == 2) call.arguments = words_[1];
    if (call.arguments == "-") {
      PRX_TRY(call.arguments, read_stdin());
    }
    PRX_TRY(const auto toolbox, this->toolbox(HostKind::one_shot));
    const auto result = toolbox.call(call);
    if (json) {
      PRX_CHECK(print_object(result_json(result).text() + "\n"));
    } else if (result.failure) {
      return *result.failure;
    } else {
      const auto& text = result.output;
      PRX_CHECK(print_object(text.empty() || text.ends_with('\n') ? text : text + "\n"));
    }
    return result.execution ? result.execution->exit_code : exit_code_of(*result.failure);
  }

  [[nodiscard]] Result<int> call_batch() const {
    if (!words_.empty())
      return usage_error(words_.front(), "a batch names its tools itself", "prx tool call --batch");
    BatchOptions options;
    options.jobs = jobs_ > 0 ? jobs_ : std::max(1U, std::thread::hardware_concurrency());
    PRX_TRY(options.timeout, timeout());
    PRX_TRY(const auto toolbox, this->toolbox(HostKind::library));
    return run_batch(toolbox, options);
  }

  std::string action_;
  std::vector<std::string> words_;
  std::string format_;
  bool batch_ = false;
  unsigned jobs_ = 0;
  std::string timeout_;
  std::string workspace_;
  std::string file_;
  std::vector<std::string> settings_;
};

}  // namespace

const CommandInfo kToolInfo{.name = "tool",
                            .summary = "the tools of an agent: list them, describe them, call them",
                            .synopsis = kSynopsis,
                            .description = kDescription,
                            .sections = kSections,
                            .examples = kExamples};

std::unique_ptr<Command> make_tool_command() {
  return std::make_unique<ToolCommand>();
}

}  // namespace prx::cli
