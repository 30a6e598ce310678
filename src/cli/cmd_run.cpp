#include "cli/cmd_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include <fmt/format.h>

#include <prx/runtimes.hpp>

#include "base/errno_text.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/try.hpp"
#include "cli/ask_terminal.hpp"
#include "cli/failure.hpp"
#include "cli/output_json.hpp"
#include "cli/quantity.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 2> kSynopsis{"[options] [--] PROGRAM [ARG...]",
                                                    "[options] -c 'SHELL LINE'"};
constexpr std::array<std::string_view, 3> kDescription{
    "Runs one command and ends with its exit status. It sees the variables that the configuration lets "
    "through (env_whitelist), those of [runtime.native.env] and those of --env, and no others. When it has "
    "ended, or its time is up, everything it started is ended too, also what was put into the background: a "
    "server gets a prx run of its own.",
    "Stdin, stdout and stderr are passed on. With a terminal on stdin and stdout the command gets a terminal "
    "of its own: what is typed goes there, Ctrl-C and Ctrl-Z too, and stderr appears there with stdout. "
    "Ctrl-Z stops a job of a shell in there, not prx itself: for that use -T.",
    "Options end at PROGRAM or at --: what follows belongs to the command."};
constexpr std::array<Term, 8> kExitStatus{{
    {"0-255", "the command's own exit status"},
    {"124", "it ran out of time"},
    {"125", "prx could not set it up: wrong options, configuration, working directory, a system limit"},
    {"126", "the program exists and cannot be executed"},
    {"127", "the program does not exist"},
    {"128+n", "signal n ended it, or prx was asked to end with signal n (130: Ctrl-C, 143: SIGTERM)"},
    {"137", "out of memory, or SIGKILL"},
    {"159", "it broke a rule of the sandbox"},
}};
constexpr std::array<TermSection, 1> kSections{{{"Exit status", kExitStatus}}};
constexpr std::array<Term, 6> kExamples{{
    {"prx run -- ls -la", "a program with its arguments"},
    {"prx run -c 'grep -r TODO src | wc -l'", "a shell line: pipes, globs and variables work"},
    {"prx run --timeout 5m -w build -- make -j4", "somewhere else, for at most five minutes"},
    {"prx run -e DEBUG=1 -e SSH_AUTH_SOCK -- ./deploy", "with a new variable and one of the caller's"},
    {"prx run --json -- uname -a", "everything about the run as one JSON object"},
    {"prx run --report run.json -- make", "the output as usual, the object in a file"},
}};

class RunCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override { declare_run_options(app, options_); }
  int run(Operands operands) override { return run_with(options_, operands.words, operands.json); }

 private:
  RunOptions options_;
};

OutputWanted output_wanted(const RunOptions& options, bool json) {
  if (json) return OutputWanted::kept;
  return options.report.empty() ? OutputWanted::streamed : OutputWanted::streamed_and_kept;
}

void show_log_lines(const RunOptions& options) {
  if (!options.verbose) return;
  base::set_log_sink([](base::LogLevel, std::string_view text) { print_note(text); });
}

/// A word with a blank that names no file is most likely a shell line.
void suggest_shell_line(Error& error, const ExecutionRequest& request) {
  const auto* program = std::get_if<Program>(&request.command);
  const bool one_word = program != nullptr && program->args.empty();
  if (!one_word || error.kind != ErrorKind::not_found || error.step != "exec") return;
  if (program->file.find_first_of(" \t\n|&;<>$*") == std::string::npos) return;
  error.hint = "for a shell line use -c: prx run -c " + shell_quoted(program->file);
}

Result<Session::Outcome> execute(const RunOptions& options, const std::vector<std::string>& words,
                                 OutputWanted wanted) {
  PRX_TRY(ExecutionRequest request, request_of(options, words));
  PRX_TRY(Config config, load_config(config_sources(options.config_file, options.settings)));
  config.workspace = options.workspace;
  const StreamPlan plan = plan_streams(options, wanted);
  connect_streams(request, plan, options, wanted);
  // Before the runtime starts its thread, which is to have the same mask.
  PRX_TRY(const SignalInbox signals, SignalInbox::open());
  PRX_TRY(const auto runtime,
          create_runtime(config, {.host = HostKind::one_shot, .supervisor = ask_terminal}));
  return Session::run(*runtime, request, plan, signals).transform_error([&](Error error) {
    suggest_shell_line(error, request);
    return error;
  });
}

std::string timeout_note(const RunOptions& options, const TimedOut& timed_out) {
  std::string text = "timed out after " + duration_text(timed_out.limit);
  if (options.timeout.empty()) text += "\nhint: --timeout TIME sets another limit, --timeout 0 none";
  return text;
}

std::string quarantine_note(const Quarantined& entry) {
  const auto path = base::printable(entry.path);
  if (entry.moved_to.empty()) return path + " appeared, is protected, and could not be moved away: remove it";
  return fmt::format("{} appeared and is protected: moved to {}", path, base::printable(entry.moved_to));
}

std::string leftovers_note(const Leftovers& leftovers) {
  if (leftovers.killed == 0) return {};
  return fmt::format("killed {} process{} that the command left running", leftovers.killed,
                     leftovers.killed == 1 ? "" : "es");
}

void print_notes(const RunOptions& options, const ExecutionOutput& output) {
  if (options.quiet) return;
  for (const auto& warning : output.warnings) print_warning(warning);
  for (const auto& entry : output.quarantined) print_warning(quarantine_note(entry));
  if (const auto left = leftovers_note(output.leftovers); !left.empty()) print_warning(left);
  for (const auto& violation : output.violations) print_note("sandbox: " + violation.text);
  if (const auto* timed_out = std::get_if<TimedOut>(&output.ending)) {
    print_note(timeout_note(options, *timed_out));
  }
}

void print_timings(const ExecutionOutput& output) {
  const Timings& t = output.timings;
  print_note(fmt::format("backend {}, sandbox {}, slot {}, {} host variables withheld", output.backend,
                         output.sandbox, output.slot == SlotKind::warm ? "warm" : "cold",
                         output.env_withheld));
  print_note(fmt::format("{} in all: slot {}, spawn {}, run {}, cleanup {}, drain {}; cpu {} user, {} system",
                         duration_text(output.duration), duration_text(t.slot), duration_text(t.spawn),
                         duration_text(t.run), duration_text(t.cleanup), duration_text(t.drain),
                         duration_text(output.usage.user_cpu), duration_text(output.usage.system_cpu)));
}

/// The object where it is wanted. What is not written is told: whoever asked for it waits for it.
Result<void> deliver_object(const ExecutionOutput& output, bool json, const Report* report) {
  if (!json && report == nullptr) return {};
  const std::string text = output_json(output).text() + "\n";
  Result<void> printed = json ? print_object(text) : Result<void>();
  if (report != nullptr) PRX_CHECK(report->write(text));
  return printed;
}

int show_output(const RunOptions& options, const Session::Outcome& outcome, bool json, const Report* report) {
  const ExecutionOutput& output = outcome.output;
  const auto delivered = deliver_object(output, json, report);
  if (!json) print_notes(options, output);
  if (options.verbose && !json) print_timings(output);
  if (!delivered) return report_failure(delivered.error(), false);
  if (outcome.unwritten) return report_failure(*outcome.unwritten, false);
  return output.exit_code;
}

int show_failure(const Error& error, bool json, const Report* report) {
  if (report != nullptr) {
    const auto written = report->write(error_json(error).text() + "\n");
    if (!written) print_error(written.error());
  }
  return report_failure(error, json);
}

}  // namespace

const CommandInfo kRunInfo{.name = "run",
                           .summary = "run one command, bounded and accounted for",
                           .synopsis = kSynopsis,
                           .description = kDescription,
                           .sections = kSections,
                           .examples = kExamples,
                           .runs_programs = true};

std::unique_ptr<Command> make_run_command() {
  return std::make_unique<RunCommand>();
}

int run_with(const RunOptions& options, const std::vector<std::string>& words, bool json) {
  // A closed pipe or a file that grows too large is an error of write() here; the command gets the default
  // back.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  show_log_lines(options);
  std::optional<Report> report;
  if (!options.report.empty()) {
    auto opened = Report::open(options.report);
    if (!opened) return report_failure(opened.error(), json);
    report = std::move(opened).value();
  }
  const Report* sink = report ? &*report : nullptr;
  const auto outcome = execute(options, words, output_wanted(options, json));
  return outcome ? show_output(options, *outcome, json, sink) : show_failure(outcome.error(), json, sink);
}

}  // namespace prx::cli
