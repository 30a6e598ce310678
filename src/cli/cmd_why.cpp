#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "app/native_plan.hpp"
#include "base/printable.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "cli/failure.hpp"
#include "cli/parse.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"
#include "cli/why_subject.hpp"
#include "core/slot_runtime.hpp"
#include "io/json.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"[options] PATH|HOST|PROGRAM"};
constexpr std::array<std::string_view, 3> kDescription{
    "Tells whether a command may read, change or execute a path, run a program, or reach a host; which rule "
    "decides, with the line of the configuration or the default behind it; and which line would change that. "
    "It runs nothing: the answer is read off the plan that `prx run` would send to the sandbox, links "
    "followed as they lead inside.",
    "A word with a slash is a path. Another one is a program that the command's PATH leads to or that the "
    "host has, otherwise what exists here under that name, otherwise a host. Write ./NAME for a path.",
    "A path in a private place (HOME, /tmp) may be written, but what is written there is not the host's, and "
    "is gone with the command."};
constexpr std::array<Term, 3> kExitStatus{{
    {"0", "allowed"},
    {"1", "not allowed"},
    {"125", "wrong options, or a configuration that no command could run with"},
}};
constexpr std::array<TermSection, 1> kSections{{{"Exit status", kExitStatus}}};
constexpr std::array<Term, 4> kExamples{{
    {"prx why ~/.ssh/id_rsa", "may a command read it?"},
    {"prx why --op write .git/hooks", "why can nothing be changed there?"},
    {"prx why cargo", "which cargo would run, if any?"},
    {"prx why example.com:443", "is there a network?"},
}};

struct Answer {
  WhySubject subject;
  std::optional<sandbox::Operation> operation;  ///< of a path and a program
  sandbox::Verdict verdict;
};

std::string answer_text(const Answer& answer) {
  const auto& verdict = answer.verdict;
  const auto line = [](std::string_view key, std::string_view value) {
    return value.empty() ? std::string() : std::string(key) + base::printable(value) + "\n";
  };
  std::string what(to_string(answer.subject.kind));
  if (answer.operation) what += ", " + std::string(to_string(*answer.operation));
  std::string text = std::string(verdict.allowed ? "allowed" : "not allowed") + " (" + what + ")\n";
  text += line("subject  ", answer.subject.name);
  if (verdict.path != answer.subject.name) text += line("inside   ", verdict.path);
  text += line("rule     ", std::string(to_string(verdict.rule)) + ": " + verdict.reason);
  text += line("change   ", verdict.change.text);
  text += line("one run  ", verdict.change.option.empty() ? "" : "prx run " + verdict.change.option);
  return text;
}

std::string answer_json(const Answer& answer) {
  const auto& verdict = answer.verdict;
  io::Json object = io::Json::object();
  object.set("allowed", verdict.allowed).set("kind", to_string(answer.subject.kind));
  object.set("subject", base::to_utf8_lossy(answer.subject.name));
  if (answer.operation) object.set("op", to_string(*answer.operation));
  object.set("inside", base::to_utf8_lossy(verdict.path));
  object.set("rule", to_string(verdict.rule)).set("reason", base::to_utf8_lossy(verdict.reason));
  object.set("change", base::to_utf8_lossy(verdict.change.text));
  object.set("option", base::to_utf8_lossy(verdict.change.option));
  return object.text() + "\n";
}

class WhyCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("--op", operation_, "of a path: read, write or exec (default: read)")
        ->type_name("read|write|exec")
        ->take_last()
        ->group("Question");
    app.add_option("--workspace", workspace_, "the directory that the command may write to (default: here)")
        ->type_name("DIR")
        ->take_last()
        ->group("Question");
    add_plain_flag(app, "--json", "print one JSON object", "Output");
    declare_config_options(app, file_, settings_);
  }

  int run(Operands operands) override {
    const auto answer = ask(operands);
    if (!answer) {
      (void)report_failure(answer.error(), operands.json);
      return kPrxFailed;
    }
    const int printed = print_result(operands.json ? answer_json(*answer) : answer_text(*answer));
    return printed != 0 || answer->verdict.allowed ? printed : 1;
  }

 private:
  [[nodiscard]] Result<std::optional<sandbox::Operation>> operation() const {
    std::optional<sandbox::Operation> named;
    if (operation_.empty()) return named;
    named = sandbox::operation_named(operation_);
    if (named) return named;
    return usage_error("--op " + operation_, "no such operation", "write read, write or exec");
  }

  [[nodiscard]] Result<Answer> ask(const Operands& operands) const {
    if (operands.words.size() != 1) {
      return usage_error(operands.words.empty() ? "PATH|HOST|PROGRAM" : operands.words.at(1),
                         operands.words.empty() ? "nothing to ask about" : "one question at a time",
                         "see: prx why --help");
    }
    PRX_TRY(const auto wanted, operation());
    PRX_TRY(Config config, load_config(config_sources(file_, settings_)));
    config.workspace = workspace_;
    PRX_TRY(const auto plan, app::plan_native(config));
    const auto base = core::base_directory(plan.settings);
    if (!plan.sandbox.blueprint) return unconfined(operands.words.front(), base);
    return answer_from(*plan.sandbox.blueprint(), operands.words.front(), base, wanted);
  }

  static Answer unconfined(const std::string& word, const std::string& base) {
    Answer answer;
    answer.subject = find_subject(word, base, nullptr);
    answer.verdict.allowed = true;
    answer.verdict.rule = sandbox::Rule::unconfined;
    answer.verdict.reason = "there is no sandbox: a command may do what the caller may";
    return answer;
  }

  static Answer answer_from(const sandbox::Blueprint& blueprint, const std::string& word,
                            const std::string& base, std::optional<sandbox::Operation> wanted) {
    const sandbox::RealHost host;
    Answer answer;
    answer.subject = find_subject(word, base, wanted ? nullptr : &blueprint);
    switch (answer.subject.kind) {
      case WhySubject::Kind::path:
        answer.operation = wanted.value_or(sandbox::Operation::read);
        answer.verdict = sandbox::judge(blueprint, answer.subject.name, *answer.operation, host);
        break;
      case WhySubject::Kind::program:
        answer.operation = sandbox::Operation::execute;
        answer.verdict = judge_program(blueprint, answer.subject.name, host);
        break;
      case WhySubject::Kind::host:
        answer.verdict = sandbox::judge_network(blueprint);
        break;
    }
    return answer;
  }

  std::string operation_;
  std::string workspace_;
  std::string file_;
  std::vector<std::string> settings_;
};

}  // namespace

const CommandInfo kWhyInfo{.name = "why",
                           .summary = "may a command do this, by which rule, and what would change it",
                           .synopsis = kSynopsis,
                           .description = kDescription,
                           .sections = kSections,
                           .examples = kExamples};

std::unique_ptr<Command> make_why_command() {
  return std::make_unique<WhyCommand>();
}

}  // namespace prx::cli
