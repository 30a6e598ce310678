#include <array>

#include <CLI/CLI.hpp>

#include <prx/version.hpp>

#include "cli/cmd_run.hpp"
#include "cli/failure.hpp"
#include "cli/page.hpp"
#include "cli/parse.hpp"
#include "cli/shell_arguments.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"[options] -c LINE [NAME [ARG...]]"};
constexpr std::array<std::string_view, 3> kDescription{
    "A shell for agents and tools that only know $SHELL: it runs LINE as `prx run -c LINE` does, with stdin "
    "passed on, and ends with the line's exit status. NAME and ARGs are its $0, $1 and so on. Everything "
    "else "
    "comes from the configuration and from PRX_ variables (PRX_RUNTIME__DEFAULT_TIMEOUT_SECS=600).",
    "The line itself is run by the shell of the configuration, [runtime.native] shell, with the options that "
    "prx-sh was given. The variables of the caller that are not on its list do not reach the line, so there "
    "is no profile to read: -l and -i, which some callers pass, change nothing.",
    "It runs lines, not script files, and has no prompt."};
constexpr std::array<Term, 3> kExamples{{
    {"SHELL=$(command -v prx-sh) some-agent", "every line that the agent runs goes through prx"},
    {"prx-sh -c 'make && make test'", "one line"},
    {"prx-sh -euc 'cp \"$1\" \"$2\"' copy a b", "with options of the shell and with arguments"},
}};

class ShellCommand final : public Command {
 public:
  /// For the help and the manual page; parse_shell_arguments() reads what stands on the command line.
  void declare_options(CLI::App& app) override {
    add_plain_flag(app, "-c", "run the line that follows the options", "Options");
    add_plain_flag(app, "-e", "as in the shell, like -a -b -f -k -m -n -p -t -u -v -x -B -C -E -H -P -T",
                   "Options");
    app.add_option("-o", "as in the shell: -o pipefail; also +o, and -O of bash")
        ->type_name("NAME")
        ->group("Options");
    add_plain_flag(app, "-l,--login", "accepted, changes nothing; like --norc and --noprofile", "Options");
    add_plain_flag(app, "-i", "accepted, changes nothing", "Options");
    add_plain_flag(app, "--version", "the version of prx", "General");
  }

  int run(Operands operands) override {
    auto parsed = parse_shell_arguments(operands.words);
    if (!parsed) return report_failure(parsed.error(), false);
    if (parsed->help) return print_result(help_text(page_of(shell_entry()), style_of_stdout()));
    if (parsed->version) return print_result("prx-sh " + std::string(version()) + "\n");
    if (!parsed->line) {
      return report_failure(usage_error("prx-sh", "runs one line, not scripts", "write prx-sh -c 'LINE'"),
                            false);
    }
    RunOptions options;
    options.line = std::move(parsed->line);
    options.shell_options = std::move(parsed->options);
    options.line_args = std::move(parsed->args);
    return run_with(options, {}, false);
  }
};

}  // namespace

const CommandInfo kShellInfo{.name = "prx-sh",
                             .summary = "a shell whose lines run through prx",
                             .synopsis = kSynopsis,
                             .description = kDescription,
                             .sections = {},
                             .examples = kExamples,
                             .own_rules = true};

std::unique_ptr<Command> make_shell_command() {
  return std::make_unique<ShellCommand>();
}

}  // namespace prx::cli
