#include "app/guarded_runtime.hpp"

#include <utility>

#include "app/answer.hpp"
#include "audit/command_text.hpp"
#include "base/try.hpp"
#include "core/without_throwing.hpp"

namespace prx::app {
namespace {

using audit::Answer;

const std::string& tool_of(const ExecutionRequest& request) {
  static const auto& kShell = *new std::string("shell");
  return request.tool.empty() ? kShell : request.tool;
}

std::string denial_text(const policy::Decision& decision, Answer answer) {
  const std::string about = decision.reason.empty() ? "" : ": " + decision.reason;
  switch (answer) {
    case Answer::nobody:
      return "the tool policy wants somebody to be asked, and there is nobody" + about;
    case Answer::too_late:
      return "the tool policy wants somebody to be asked, and nobody answered in time" + about;
    case Answer::denied:
      return "somebody was asked, as the tool policy wants, and said no" + about;
    case Answer::not_asked:
    case Answer::allowed:
      break;
  }
  return "the tool policy denies it" + about;
}

Error denial(const ExecutionRequest& request, const policy::Decision& decision, Answer answer) {
  return {ErrorKind::denied,
          "policy",
          tool_of(request),
          0,
          denial_text(decision, answer),
          "decided by " + decision.key + " (" + decision.where + "); do not try it in another way"};
}

}  // namespace

GuardedRuntime::GuardedRuntime(Guard guard, std::unique_ptr<RuntimeAdapter> inner)
    : guard_(std::move(guard)), inner_(std::move(inner)) {}

Answer GuardedRuntime::ask(const ExecutionRequest& request, const policy::Decision& decision) const {
  if (decision.rule != ToolRule::supervised) return Answer::not_asked;
  if (!guard_.supervisor) return Answer::nobody;
  auto pending = std::make_shared<PendingAnswer>();
  guard_.supervisor({.tool = tool_of(request),
                     .command = audit::command_text(request.command),
                     .arguments = request.tool_arguments,
                     .rule = decision.key,
                     .reason = decision.reason,
                     .time_left = guard_.ask_timeout},
                    SupervisedAnswer(pending));
  const auto answer = pending->wait_for(guard_.ask_timeout);
  if (!answer) return Answer::too_late;
  return *answer ? Answer::allowed : Answer::denied;
}

Result<std::string> GuardedRuntime::admit(const ExecutionRequest& request) {
  const auto decision = guard_.policy.decide(request);
  const Answer answer = ask(request, decision);
  const bool is_admitted = decision.rule == ToolRule::allow || answer == Answer::allowed;
  std::string call;
  if (guard_.log) {
    // Nothing runs that was not written down before.
    PRX_TRY(call, guard_.log->decision({.request = request,
                                        .tool = tool_of(request),
                                        .rule = decision.rule,
                                        .key = decision.key,
                                        .where = decision.where,
                                        .reason = decision.reason,
                                        .answer = answer,
                                        .is_admitted = is_admitted}));
  }
  if (!is_admitted) return denial(request, decision, answer);
  return call;
}

Result<Execution> GuardedRuntime::start_admitted(ExecutionRequest request, ExecutionEvents events) {
  PRX_TRY(const auto call, admit(request));
  if (!guard_.log) return inner_->start(std::move(request), std::move(events));
  events.ended = [log = guard_.log, call, tool = tool_of(request),
                  told = std::move(events.ended)](const Result<ExecutionOutput>& result) {
    // It has run: what cannot be written now shows as a decision without its execution.
    (void)log->execution(call, tool, result);
    if (told) told(result);
  };
  const std::string tool = tool_of(request);
  auto started = inner_->start(std::move(request), std::move(events));
  if (!started) (void)guard_.log->execution(call, tool, started.error());
  return started;
}

Result<ExecutionOutput> GuardedRuntime::execute_admitted(ExecutionRequest request) {
  PRX_TRY(const auto call, admit(request));
  if (!guard_.log) return inner_->execute(std::move(request));
  const std::string tool = tool_of(request);
  auto output = inner_->execute(std::move(request));
  const auto written = guard_.log->execution(call, tool, output);
  if (!written && output) output->warnings.push_back(written.error().message());
  return output;
}

Result<Execution> GuardedRuntime::start(ExecutionRequest request, ExecutionEvents events) {
  return core::without_throwing([&] { return start_admitted(std::move(request), std::move(events)); });
}

Result<ExecutionOutput> GuardedRuntime::execute(ExecutionRequest request) {
  return core::without_throwing([&] { return execute_admitted(std::move(request)); });
}

}  // namespace prx::app
