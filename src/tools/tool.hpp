#pragma once

#include <memory>
#include <string>

#include <prx/request.hpp>
#include <prx/result.hpp>
#include <prx/tools.hpp>

#include "io/json_schema.hpp"
#include "io/json_value.hpp"

namespace prx::tools {

/// What a tool's call becomes.
class CallPlan {
 public:
  virtual ~CallPlan() = default;
  /// `arguments` fits the tool's schema and has its defaults. What the tool itself sets (command, input,
  /// variables, timeout) is set; the rest is the caller's. Runs nothing.
  [[nodiscard]] virtual Result<ExecutionRequest> request(const io::JsonValue& arguments) const = 0;
};

struct Tool {
  ToolInfo info;
  io::JsonSchema parameters;
  io::JsonValue schema;  ///< the same, to be read
  std::unique_ptr<CallPlan> plan;
};

}  // namespace prx::tools
