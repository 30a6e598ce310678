#include <array>
#include <vector>

#include <CLI/CLI.hpp>

#include <prx/config.hpp>
#include <prx/runtimes.hpp>
#include <prx/version.hpp>

#include <fmt/format.h>

#include "cli/backend_choice.hpp"
#include "cli/command.hpp"
#include "cli/failure.hpp"
#include "cli/page.hpp"
#include "cli/parse.hpp"
#include "cli/probe.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"
#include "io/json.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"[options]"};
constexpr std::array<std::string_view, 2> kDescription{
    "Tries what prx builds on and says what works here, what does not, and what to do about it. Each probe "
    "really does the thing, in a process of its own and for at most two seconds, and leaves nothing behind.",
    "The last line tells which backend auto would choose."};
constexpr std::array<Term, 3> kExitStatus{{
    {"0", "commands can be run here"},
    {"1", "they cannot"},
    {"125", "wrong options"},
}};
constexpr std::array<TermSection, 1> kSections{{{"Exit status", kExitStatus}}};
constexpr std::array<Term, 2> kExamples{{
    {"prx doctor", "for you"},
    {"prx doctor --json", "for a program"},
}};
constexpr std::size_t kTextColumn = 28;
constexpr std::size_t kWidth = 100;

Check check_configuration(const ConfigSources& sources) {
  const ConfigReport report = check_config(sources);
  std::size_t errors = 0;
  for (const auto& finding : report.findings) errors += finding.error ? 1U : 0U;
  if (errors > 0) {
    return Check::missing(fmt::format("{}: {} to correct", report.file, errors),
                          "prx config check tells where");
  }
  return Check::good(report.file + (report.file_exists ? "" : " (not there: defaults)"));
}

Check check_native(Config config) {
  config.runtime.backend = BackendChoice::native;
  const auto runtime = create_runtime(config, HostKind::one_shot);
  if (!runtime) return Check::missing(runtime.error().message(), runtime.error().hint);
  const Availability native = (*runtime)->is_available();
  if (!native.available) return Check::missing(native.reason, native.remedy);
  return native.reason.empty() ? Check::good("commands run") : Check::limited(native.reason, native.remedy);
}

/// One that nobody has asked for may be missing: that is no fault of the machine.
Check check_wasm(Config config) {
  const bool wanted = config.runtime.backend == BackendChoice::wasm;
  config.runtime.backend = BackendChoice::wasm;
  const auto runtime = create_runtime(config, HostKind::one_shot);
  if (runtime) return Check::good("modules run on " + std::string(to_string(config.runtime.wasm.engine)));
  const auto& error = runtime.error();
  return wanted ? Check::missing(error.message(), error.hint) : Check::limited(error.message(), error.hint);
}

std::vector<Check> all_checks(const ConfigSources& sources, const Config& config) {
  return {
      run_bounded("kernel", probe_kernel),
      run_bounded("memfd", probe_memfd),
      run_bounded("user namespaces", probe_user_namespaces),
      run_bounded("landlock", probe_landlock),
      run_bounded("seccomp", probe_seccomp),
      run_bounded("cgroups", probe_cgroups),
      run_bounded("terminals", probe_ptys),
      run_bounded("shell", [&] { return probe_shell(config); }),
      run_bounded("PATH", probe_path),
      run_bounded("configuration", [&] { return check_configuration(sources); }),
      run_bounded("native backend", [&] { return check_native(config); }),
      run_bounded("wasm backend", [&] { return check_wasm(config); }),
  };
}

std::string check_text(const Check& check) {
  std::string text = fmt::format("{:<9} {:<17} ", to_string(check.state), check.name);
  text += wrapped(check.found, kTextColumn, kWidth) + "\n";
  if (!check.remedy.empty()) {
    text += std::string(kTextColumn, ' ') + wrapped("-> " + check.remedy, kTextColumn, kWidth) + "\n";
  }
  return text;
}

io::Json check_json(const Check& check) {
  io::Json object = io::Json::object();
  object.set("name", check.name).set("state", to_string(check.state));
  object.set("found", check.found).set("remedy", check.remedy);
  return object;
}

std::string as_text(const std::vector<Check>& checks, const BackendDecision& decision) {
  std::string text;
  for (const auto& check : checks) text += check_text(check);
  return text + "\nauto would pick: " + decision.text() + "\n";
}

std::string as_json(const std::vector<Check>& checks, const BackendDecision& decision) {
  io::Json list = io::Json::array();
  for (const auto& check : checks) list.push(check_json(check));
  io::Json choice = io::Json::object();
  choice.set("backend", decision.backend.empty() ? io::Json() : io::Json(decision.backend));
  choice.set("reason", decision.reason);
  io::Json object = io::Json::object();
  object.set("version", version()).set("checks", std::move(list)).set("auto", std::move(choice));
  return object.text() + "\n";
}

class DoctorCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    add_plain_flag(app, "--json", "print one JSON object", "Output");
    declare_config_options(app, file_, settings_);
  }

  int run(Operands operands) override {
    if (!operands.words.empty()) {
      return report_failure(
          usage_error(operands.words.front(), "doctor takes options only", "see: prx doctor --help"),
          operands.json);
    }
    const ConfigSources sources = config_sources(file_, settings_);
    // A configuration that cannot be loaded is one of the findings, not the end of the examination.
    Config config = load_config(sources).value_or(Config{});
    const auto checks = all_checks(sources, config);
    config.runtime.backend = BackendChoice::automatic;
    const BackendDecision decision = decide_backend(config);
    const int printed = print_result(operands.json ? as_json(checks, decision) : as_text(checks, decision));
    return decision.backend.empty() ? 1 : printed;
  }

 private:
  std::string file_;
  std::vector<std::string> settings_;
};

}  // namespace

const CommandInfo kDoctorInfo{.name = "doctor",
                              .summary = "what works on this machine, and what to do about the rest",
                              .synopsis = kSynopsis,
                              .description = kDescription,
                              .sections = kSections,
                              .examples = kExamples};

std::unique_ptr<Command> make_doctor_command() {
  return std::make_unique<DoctorCommand>();
}

}  // namespace prx::cli
