#include "sandbox/plan_explainer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/printable.hpp"
#include "sandbox/access.hpp"
#include "sandbox/complaints.hpp"
#include "sandbox/local_host.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/seccomp_profile.hpp"

namespace prx::sandbox {
namespace {

constexpr std::size_t kMaxViolations = 8;
constexpr int kProgramNotFound = 127;

/// Where a subject of a complaint leads from; empty for what cannot be a path.
std::string absolute(std::string_view subject, const std::string& working_dir, const std::string& home) {
  if (subject.starts_with('/')) return std::string(subject);
  if (subject.starts_with("~/")) return home.empty() ? std::string() : home + std::string(subject.substr(1));
  return join(working_dir, subject);
}

/// What a model can do about it, and what it need not try.
std::string advice(const Change& change) {
  if (change.text.empty()) return "Nothing in the sandbox changes that; do not try another way.";
  return "Do not try another way; if it is needed, the user can allow it: " + change.text + ".";
}

std::string_view describe(Operation operation) {
  switch (operation) {
    case Operation::read:
      return "reading";
    case Operation::write:
      return "writing";
    case Operation::execute:
      break;
  }
  return "executing";
}

/// Refused by the plan itself: not for what would be the same outside.
bool is_of_sandbox(const Verdict& verdict) {
  return !verdict.allowed && verdict.rule != Rule::absent && verdict.rule != Rule::permissions;
}

class Explanation {
 public:
  Explanation(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
              ExecutionOutput& output)
      : blueprint_(blueprint), command_(command), host_(host), output_(output) {}

  void denials() {
    for (const auto& denial : output_.denials) {
      add(denial.rule, "seccomp",
          "the sandbox refused " + std::to_string(denial.count) + " system call" +
              (denial.count == 1 ? "" : "s") + ": " + std::string(describe_rule(denial.rule)) +
              ". No setting allows that; do not try another way.");
    }
  }

  /// What a shell did not find, and the host has.
  void missing_program(std::string_view text) {
    if (output_.exit_code != kProgramNotFound) return;
    for (const auto& name : missing_programs_in(text)) {
      const auto found = find_program(blueprint_, name, host_);
      if (!found.inside.empty() || found.outside.empty()) continue;
      add(found.outside, to_string(Rule::not_shown),
          name + " is installed at " + found.outside + ", which the sandbox does not show. " +
              advice(show_program(blueprint_, found.outside)));
      return;
    }
  }

  void paths(std::string_view text) {
    for (const auto& complaint : find_complaints(text)) {
      for (const auto& subject : complaint.subjects) explain_path(complaint.error, subject);
    }
  }

  void network(std::string_view text) {
    const auto verdict = judge_network(blueprint_);
    if (verdict.allowed || !complains_of_network(text)) return;
    add("network", "network", verdict.reason + ". " + advice(verdict.change));
  }

 private:
  static std::string_view describe_rule(std::string_view name) {
    for (std::size_t i = 0; i < protocol::kSeccompRules; ++i) {
      const auto rule = static_cast<protocol::SeccompRule>(i);
      if (protocol::to_string(rule) == name) return sandbox::describe(rule);
    }
    return name;
  }

  void explain_path(int error, const std::string& subject) {
    const auto path = absolute(subject, command_.working_dir, blueprint_.policy.caller.home);
    if (path.empty()) return;
    if (error == EBUSY) return explain_removal(path);
    for (const auto operation : {Operation::read, Operation::write, Operation::execute}) {
      const auto verdict = judge(blueprint_, path, operation, host_);
      if (!is_of_sandbox(verdict) || verdict.error != error) continue;
      add(verdict.path, to_string(verdict.rule),
          std::string(describe(operation)) + " " + verdict.path +
              " is not possible in the sandbox: " + verdict.reason + ". " + advice(verdict.change));
      return;
    }
  }

  void explain_removal(const std::string& path) {
    const auto verdict = judge_removal(blueprint_, path, host_);
    if (verdict.allowed) return;
    add(verdict.path, to_string(verdict.rule),
        "removing, renaming or replacing " + verdict.path +
            " is not possible in the sandbox: " + verdict.reason + ". " + advice(verdict.change));
  }

  void add(const std::string& subject, std::string_view rule, const std::string& text) {
    auto& all = output_.violations;
    const bool is_known =
        std::any_of(all.begin(), all.end(), [&](const Violation& known) { return known.subject == subject; });
    if (is_known || all.size() >= kMaxViolations) return;
    all.push_back({base::printable(subject), std::string(rule), base::printable(text)});
  }

  const Blueprint& blueprint_;
  const core::FailedCommand& command_;
  const HostView& host_;
  ExecutionOutput& output_;
};

void blame_sandbox(Error& error, std::string detail, const Change& change) {
  error.detail = std::move(detail);
  error.hint = change.text.empty() ? "nothing in the configuration changes that" : change.text;
  if (!change.option.empty()) error.hint += "; for one run: " + change.option;
}

void explain_program(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
                     Error& error) {
  if (command.file.find('/') == std::string::npos) {
    const auto found = find_program(blueprint, command.file, host);
    if (!found.inside.empty() || found.outside.empty()) return;
    return blame_sandbox(error, "it is installed at " + found.outside + ", which the sandbox does not show",
                         show_program(blueprint, found.outside));
  }
  const auto path = absolute(command.file, command.working_dir, {});
  const auto verdict = judge(blueprint, path, Operation::execute, host);
  if (is_of_sandbox(verdict) && verdict.error == error.os_errno)
    blame_sandbox(error, "the sandbox does not let it be executed: " + verdict.reason, verdict.change);
}

void explain_directory(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
                       Error& error) {
  const auto verdict = judge(blueprint, command.working_dir, Operation::execute, host);
  if (!is_of_sandbox(verdict) || verdict.error != error.os_errno) return;
  auto change = verdict.change;
  if (!change.text.empty()) {
    change.text = "make it the workspace (--workspace " + command.working_dir + "), or " + change.text;
  }
  blame_sandbox(error, "the working directory is not there in the sandbox: " + verdict.reason, change);
}

class PlanExplainer final : public core::FailureExplainer {
 public:
  explicit PlanExplainer(BlueprintSource source) : source_(std::move(source)) {}

  void explain(const core::FailedCommand& command, ExecutionOutput& output) const override {
    const auto blueprint = source_();
    explain_output(*blueprint, command, LocalHost(*blueprint), output);
  }
  void explain(const core::FailedCommand& command, Error& error) const override {
    const auto blueprint = source_();
    explain_error(*blueprint, command, LocalHost(*blueprint), error);
  }

 private:
  BlueprintSource source_;
};

/// With a terminal, or where a line sends both to one place, errors stand in stdout.
std::string_view where_errors_are(const ExecutionOutput& output) {
  return output.err.bytes.empty() ? output.out.bytes : output.err.bytes;
}

}  // namespace

void explain_output(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
                    ExecutionOutput& output) {
  const auto text = where_errors_are(output);
  Explanation explanation(blueprint, command, host, output);
  explanation.denials();
  explanation.missing_program(text);
  explanation.paths(text);
  explanation.network(text);
}

void explain_error(const Blueprint& blueprint, const core::FailedCommand& command, const HostView& host,
                   Error& error) {
  if (error.step == "exec") explain_program(blueprint, command, host, error);
  if (error.step == "chdir") explain_directory(blueprint, command, host, error);
}

std::shared_ptr<const core::FailureExplainer> make_plan_explainer(BlueprintSource source) {
  return std::make_shared<PlanExplainer>(std::move(source));
}

}  // namespace prx::sandbox
