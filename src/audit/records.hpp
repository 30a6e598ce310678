#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include <prx/config.hpp>
#include <prx/output.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

#include "audit/redactor.hpp"
#include "io/json.hpp"

namespace prx::audit {

/// What came of asking somebody.
enum class Answer : std::uint8_t { not_asked, nobody, too_late, allowed, denied };
[[nodiscard]] std::string_view to_string(Answer answer) noexcept;

/// What was decided about a request.
struct DecisionRecord {
  const ExecutionRequest& request;
  std::string tool;
  ToolRule rule = ToolRule::allow;
  std::string key;
  std::string where;
  std::string reason;
  Answer answer = Answer::not_asked;
  bool is_admitted = false;
};

/// The members of each kind of record; all begin with "time" and "kind".
[[nodiscard]] io::Json decision_record(const DecisionRecord& decision, const std::string& call,
                                       const std::string& caller, const Redactor& redactor);
[[nodiscard]] io::Json execution_record(const std::string& call, const std::string& tool,
                                        const Result<ExecutionOutput>& result, const Redactor& redactor);
[[nodiscard]] io::Json recovery_record(std::string_view what, std::uint64_t bytes);

}  // namespace prx::audit
