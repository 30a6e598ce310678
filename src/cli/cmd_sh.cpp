#include <array>

#include <CLI/CLI.hpp>

#include "cli/cmd_run.hpp"
#include "cli/failure.hpp"
#include "cli/parse.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"-c LINE"};
constexpr std::array<std::string_view, 3> kDescription{
    "A shell for agents and tools that only know $SHELL: it runs LINE as `prx run -c LINE` does, with stdin "
    "passed on, and ends with the line's exit status. Everything else comes from the configuration and from "
    "PRX_ variables (PRX_RUNTIME__DEFAULT_TIMEOUT_SECS=600).",
    "The line itself is run by the shell of the configuration, [runtime.native] shell. The variables of the "
    "caller that are not on its list do not reach the line, so there is no profile to read: -l and -i, which "
    "some callers pass, change nothing.",
    "It runs lines, not script files, and has no prompt."};
constexpr std::array<Term, 2> kExamples{{
    {"SHELL=$(command -v prx-sh) some-agent", "every line that the agent runs goes through prx"},
    {"prx-sh -c 'make && make test'", "one line"},
}};

class ShellCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    const auto take_line = [this](const std::string& line) { options_.line = line; };
    app.add_option_function<std::string>("-c", take_line, "run this line")
        ->type_name("LINE")
        ->take_last()
        ->group("Options");
    add_plain_flag(app, "-l,--login", "accepted, changes nothing", "Options");
    add_plain_flag(app, "-i", "accepted, changes nothing", "Options");
  }

  int run(Operands operands) override {
    if (!options_.line) {
      return report_failure(usage_error("prx-sh", "runs one line, not scripts", "write prx-sh -c 'LINE'"),
                            false);
    }
    return run_with(options_, operands.words, false);
  }

 private:
  RunOptions options_;
};

}  // namespace

const CommandInfo kShellInfo{.name = "prx-sh",
                             .summary = "a shell whose lines run through prx",
                             .synopsis = kSynopsis,
                             .description = kDescription,
                             .sections = {},
                             .examples = kExamples};

std::unique_ptr<Command> make_shell_command() {
  return std::make_unique<ShellCommand>();
}

}  // namespace prx::cli
