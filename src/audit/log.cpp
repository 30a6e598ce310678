#include "audit/log.hpp"

#include <utility>

#include "base/try.hpp"
#include "core/execution_id.hpp"

namespace prx::audit {

Log::Log(FileOptions options, std::string caller, const std::vector<std::string>& environment)
    : file_(std::move(options)), caller_(std::move(caller)), redactor_(environment) {}

Result<std::string> Log::decision(const DecisionRecord& decision) {
  auto call = core::make_execution_id();
  auto redactor = redactor_.with(decision.request.env)
                      .with(io::JsonValue::parse_or_null(decision.request.tool_arguments));
  PRX_CHECK(file_.append(decision_record(decision, call, caller_, redactor)));
  if (decision.is_admitted) {
    const std::scoped_lock lock(mutex_);
    running_.emplace(call, std::move(redactor));
  }
  return call;
}

Result<void> Log::execution(const std::string& call, const std::string& tool,
                            const Result<ExecutionOutput>& result) {
  Redactor redactor = redactor_;
  {
    const std::scoped_lock lock(mutex_);
    if (auto known = running_.extract(call)) redactor = std::move(known.mapped());
  }
  return file_.append(execution_record(call, tool, result, redactor));
}

}  // namespace prx::audit
