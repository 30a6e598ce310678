#include <array>

#include "base/try.hpp"
#include "cli/failure.hpp"
#include "cli/plan_report.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 2> kSynopsis{"[run options] [--] PROGRAM [ARG...]",
                                                    "[run options] -c 'SHELL LINE'"};
constexpr std::array<std::string_view, 2> kDescription{
    "Prints what `prx run` would do with the same options: backend, program or shell, working directory, "
    "limits, every variable of the environment, and the whole sandbox: identity, network, every mount, "
    "denied "
    "system calls, Landlock rules. Behind each stands what made it so: a line of the configuration, a "
    "variable, an option, or built-in. It is read off the plan that run would send to the sandbox.",
    "It runs nothing and writes nothing: -t, -T, -v, -q and --report only tell it what you would give to "
    "run."};
constexpr std::array<Term, 2> kExamples{{
    {"prx explain -- make", "why does make not see my variable?"},
    {"prx explain --json -c 'make test'", "the plan as a JSON object"},
}};

class ExplainCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override { declare_run_options(app, options_); }

  int run(Operands operands) override {
    const auto report = plan(operands);
    if (!report) return report_failure(report.error(), operands.json);
    const int printed = print_result(operands.json ? plan_json(*report).text() + "\n" : plan_text(*report));
    return report->possible ? printed : kPrxFailed;
  }

 private:
  [[nodiscard]] Result<PlanReport> plan(const Operands& operands) const {
    PRX_TRY(const ExecutionRequest request, request_of(options_, operands.words));
    PRX_TRY(Config config, load_config(config_sources(options_.config_file, options_.settings)));
    config.workspace = options_.workspace;
    return plan_report(request, options_, config, operands.json);
  }

  RunOptions options_;
};

}  // namespace

const CommandInfo kExplainInfo{.name = "explain",
                               .summary = "what run would do and why; runs nothing",
                               .synopsis = kSynopsis,
                               .description = kDescription,
                               .sections = {},
                               .examples = kExamples,
                               .runs_programs = true};

std::unique_ptr<Command> make_explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace prx::cli
