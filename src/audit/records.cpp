#include "audit/records.hpp"

#include <unistd.h>

#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "audit/command_text.hpp"
#include "base/utf8.hpp"
#include "io/json_value.hpp"

namespace prx::audit {
namespace {

/// "2026-11-30T21:00:00.123Z"
std::string time_text() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, now.tv_nsec / 1'000'000);
}

io::Json record_of(std::string_view kind) {
  auto object = io::Json::object();
  object.set("time", time_text()).set("kind", kind);
  return object;
}

io::Json usage_of(const ExecutionOutput& output) {
  auto object = io::Json::object();
  object.set("user_cpu_ms", output.usage.user_cpu.count() / 1000);
  object.set("system_cpu_ms", output.usage.system_cpu.count() / 1000);
  object.set("max_rss_bytes", output.usage.max_rss.value);
  object.set("stdout_bytes", output.out.total_bytes).set("stderr_bytes", output.err.total_bytes);
  return object;
}

io::Json violations_of(const ExecutionOutput& output, const Redactor& redactor) {
  auto list = io::Json::array();
  for (const auto& violation : output.violations)
    list.push(redactor.text(base::to_utf8_lossy(violation.text)));
  return list;
}

}  // namespace

std::string_view to_string(Answer answer) noexcept {
  switch (answer) {
    case Answer::not_asked:
      return "not_asked";
    case Answer::nobody:
      return "nobody";
    case Answer::too_late:
      return "too_late";
    case Answer::allowed:
      return "allowed";
    case Answer::denied:
      return "denied";
  }
  return "denied";
}

io::Json decision_record(const DecisionRecord& decision, const std::string& call, const std::string& caller,
                         const Redactor& redactor) {
  const auto& request = decision.request;
  auto record = record_of("decision");
  record.set("call", call).set("uid", ::getuid()).set("pid", ::getpid());
  if (!caller.empty()) record.set("caller", base::to_utf8_lossy(caller));
  record.set("tool", base::to_utf8_lossy(decision.tool));
  record.set("command", redactor.text(command_text(request.command)));
  if (!request.tool_arguments.empty()) {
    record.set("arguments", redactor.json(io::JsonValue::parse_or_null(request.tool_arguments)));
  }
  if (!request.working_dir.empty()) record.set("directory", base::to_utf8_lossy(request.working_dir));
  record.set("admitted", decision.is_admitted).set("rule", to_string(decision.rule));
  record.set("key", base::to_utf8_lossy(decision.key))
      .set("where", redactor.text(base::to_utf8_lossy(decision.where)));
  if (!decision.reason.empty()) record.set("reason", redactor.text(base::to_utf8_lossy(decision.reason)));
  if (decision.answer != Answer::not_asked) record.set("answer", to_string(decision.answer));
  return record;
}

io::Json execution_record(const std::string& call, const std::string& tool,
                          const Result<ExecutionOutput>& result, const Redactor& redactor) {
  auto record = record_of("execution");
  record.set("call", call).set("tool", base::to_utf8_lossy(tool));
  if (!result) {
    const auto& error = result.error();
    auto object = io::Json::object();
    object.set("kind", to_string(error.kind)).set("step", error.step);
    object.set("subject", redactor.text(base::to_utf8_lossy(error.subject)));
    object.set("detail", redactor.text(base::to_utf8_lossy(error.detail)));
    record.set("error", std::move(object));
    return record;
  }
  record.set("backend", result->backend).set("sandbox", result->sandbox);
  record.set("ending", to_string(result->ending)).set("exit_code", result->exit_code);
  record.set("duration_ms", result->duration.count() / 1000).set("usage", usage_of(*result));
  if (!result->violations.empty()) record.set("violations", violations_of(*result, redactor));
  return record;
}

io::Json recovery_record(std::string_view what, std::uint64_t bytes) {
  auto record = record_of("recovery");
  record.set("what", what).set("bytes", bytes).set("pid", ::getpid());
  return record;
}

}  // namespace prx::audit
