#include "cli/plan_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/audit_path.hpp"
#include "app/native_plan.hpp"
#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "cli/backend_choice.hpp"
#include "cli/quantity.hpp"
#include "cli/sandbox_tables.hpp"
#include "cli/streams.hpp"
#include "cli/text_out.hpp"
#include "core/environment.hpp"
#include "core/slot_runtime.hpp"
#include "policy/tool_policy.hpp"

namespace prx::cli {
namespace {

constexpr std::string_view kCommandLine = "command line";
constexpr int kKeyWidth = 14;
constexpr int kValueWidth = 44;

std::string origin_of(const Config& config, std::string_view key) {
  return config.origin_of(key).describe();
}

PlanItem backend_item(const BackendDecision& decision, const Config& config) {
  return {"backend", decision.text(), origin_of(config, "runtime.backend")};
}

void add_command(PlanReport& report, const ExecutionRequest& request, const core::Settings& settings,
                 const Config& config) {
  if (const auto* line = std::get_if<ShellLine>(&request.command)) {
    report.items.push_back({"shell line", line->text, "-c"});
    report.items.push_back({"shell", settings.shell, origin_of(config, "runtime.native.shell")});
    return;
  }
  const auto& program = std::get<Program>(request.command);
  std::string words = shell_quoted(program.file);
  for (const auto& arg : program.args) words += " " + shell_quoted(arg);
  report.items.push_back({"program", words, std::string(kCommandLine)});
}

PlanItem working_dir_item(const RunOptions& options, const core::Settings& settings) {
  if (options.workdir.starts_with('/')) return {"working dir", options.workdir, "--workdir"};
  const auto base = core::base_directory(settings);
  if (base.empty()) return {"working dir", "(the current directory no longer exists)", "current directory"};
  if (!options.workdir.empty()) return {"working dir", base + "/" + options.workdir, "--workdir"};
  const bool moved = base == settings.workspace;
  return {"working dir", base, moved ? "the workspace" : "current directory"};
}

PlanItem timeout_item(const ExecutionRequest& request, const StreamPlan& streams, const RunOptions& options,
                      const Config& config) {
  const auto text = [](std::chrono::milliseconds limit) {
    return limit.count() == 0 ? "none" : duration_text(limit);
  };
  if (!options.timeout.empty()) return {"timeout", text(*request.timeout), "--timeout " + options.timeout};
  if (streams.is_watched) return {"timeout", "none", "a terminal has none by itself"};
  return {"timeout", text(config.runtime.default_timeout), origin_of(config, "runtime.default_timeout_secs")};
}

PlanItem max_output_item(const ExecutionRequest& request, const RunOptions& options, const Config& config) {
  if (request.max_output) {
    return {"max output", size_text(*request.max_output), "--max-output " + options.max_output};
  }
  return {"max output", size_text(config.runtime.max_output), origin_of(config, "runtime.max_output_bytes")};
}

PlanItem streams_item(const StreamPlan& plan, const RunOptions& options, OutputWanted wanted) {
  std::string text = options.no_stdin ? "no stdin" : "stdin passed on";
  if (plan.terminal) return {"streams", "a terminal of its own", options.tty ? "-t" : "terminal here"};
  text += wanted == OutputWanted::kept ? ", output kept" : ", output passed on";
  return {"streams", text, "no terminal here"};
}

PlanItem sandbox_item(const core::Settings& settings, const Config& config) {
  const auto wanted = to_string(config.security.sandbox.backend);
  const auto kind = settings.sandbox.empty() ? std::string(wanted) : settings.sandbox;
  return {"sandbox", kind, origin_of(config, "security.sandbox.backend")};
}

PlanItem policy_item(const ExecutionRequest& request, const Config& config) {
  const auto policy = policy::ToolPolicy::make(config);
  if (!policy) return {"policy", policy.error().message(), "security.tool_policy"};
  const auto decision = policy->decide(request);
  std::string text(to_string(decision.rule));
  if (!decision.reason.empty()) text += " (" + decision.reason + ")";
  return {"policy", text, decision.key + ", " + decision.where};
}

PlanItem audit_item(const Config& config) {
  const auto path = app::audit_path(config);
  const bool is_on = config.security.audit.enabled;
  return {"audit", is_on ? path.value_or("nowhere") : "none", origin_of(config, "security.audit.enabled")};
}

/// The variables in the order in which later ones win, each with the last place that set it.
class EnvironmentReport {
 public:
  void set(const EnvVar& variable, std::string origin) {
    const auto same = [&](const PlanVariable& known) { return known.name == variable.name; };
    const auto known = std::find_if(variables_.begin(), variables_.end(), same);
    if (known == variables_.end()) {
      variables_.push_back({variable.name, variable.value, std::move(origin)});
    } else {
      *known = {variable.name, variable.value, std::move(origin)};
    }
  }
  [[nodiscard]] std::vector<PlanVariable> take() { return std::move(variables_); }

 private:
  std::vector<PlanVariable> variables_;
};

void add_environment(PlanReport& report, const ExecutionRequest& request, const Config& config,
                     const sandbox::Sandbox& sandbox) {
  const auto host = core::filter_environment(core::process_environment(), config.runtime.env_whitelist);
  const std::string whitelist = "host, env_whitelist: " + origin_of(config, "runtime.env_whitelist");
  EnvironmentReport env;
  for (const auto& variable : host.passed) env.set(variable, whitelist);
  for (const auto& variable : config.runtime.native.env) {
    env.set(variable, origin_of(config, "runtime.native.env." + variable.name));
  }
  for (const auto& variable : sandbox.env) {
    env.set(variable, variable.name == "PATH" ? whitelist + "; without what the sandbox does not show"
                                              : origin_of(config, "security.sandbox.ssh_agent"));
  }
  for (const auto& variable : request.env) env.set(variable, "--env");
  report.env = env.take();
  report.env_withheld = host.withheld;
}

std::string line_of(std::string_view key, std::string_view value, std::string_view origin) {
  return fmt::format("{:<{}} {:<{}}  # {}\n", base::printable(key), kKeyWidth, base::printable(value),
                     kValueWidth, base::printable(origin));
}

}  // namespace

PlanReport plan_report(const ExecutionRequest& request, const RunOptions& options, const Config& config,
                       bool json) {
  const OutputWanted wanted = json                     ? OutputWanted::kept
                              : options.report.empty() ? OutputWanted::streamed
                                                       : OutputWanted::streamed_and_kept;
  const StreamPlan streams = plan_streams(options, wanted);
  const BackendDecision decision = decide_backend(config);
  PlanReport report;
  report.possible = !decision.backend.empty();
  const auto planned =
      report.possible ? app::plan_native(config) : Result<app::NativePlan>(app::NativePlan());
  const app::NativePlan plan = planned ? *planned : app::NativePlan();
  report.items.push_back(backend_item(decision, config));
  report.items.push_back(sandbox_item(plan.settings, config));
  add_command(report, request, plan.settings, config);
  report.items.push_back(working_dir_item(options, plan.settings));
  report.items.push_back(timeout_item(request, streams, options, config));
  report.items.push_back(max_output_item(request, options, config));
  report.items.push_back(streams_item(streams, options, wanted));
  report.items.push_back(policy_item(request, config));
  report.items.push_back(audit_item(config));
  add_environment(report, request, config, plan.sandbox);
  if (plan.sandbox.blueprint) add_sandbox(report, *plan.sandbox.blueprint());
  if (report.possible && planned) add_limits(report, config, plan.sandbox.limits);
  return report;
}

std::string plan_text(const PlanReport& report) {
  std::string text;
  for (const auto& item : report.items) text += line_of(item.key, item.value, item.origin);
  text += "\nenvironment\n";
  for (const auto& variable : report.env) {
    text += "  " + line_of(variable.name, shell_quoted(variable.value), variable.origin);
  }
  text += fmt::format("{} host variable{} withheld\n", report.env_withheld,
                      report.env_withheld == 1 ? " is" : "s are");
  for (const auto& table : report.tables) text += "\n" + table_text(table);
  return text;
}

io::Json plan_json(const PlanReport& report) {
  io::Json object = io::Json::object();
  for (const auto& item : report.items) {
    std::string key = item.key;
    std::replace(key.begin(), key.end(), ' ', '_');
    io::Json entry = io::Json::object();
    entry.set("value", base::to_utf8_lossy(item.value)).set("origin", base::to_utf8_lossy(item.origin));
    object.set(key, std::move(entry));
  }
  io::Json env = io::Json::array();
  for (const auto& variable : report.env) {
    io::Json entry = io::Json::object();
    entry.set("name", base::to_utf8_lossy(variable.name)).set("value", base::to_utf8_lossy(variable.value));
    entry.set("origin", base::to_utf8_lossy(variable.origin));
    env.push(std::move(entry));
  }
  object.set("env", std::move(env)).set("env_withheld", report.env_withheld);
  for (const auto& table : report.tables) object.set(table.key, table_json(table));
  return object;
}

}  // namespace prx::cli
