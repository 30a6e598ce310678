#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <prx/runtime.hpp>
#include <prx/supervision.hpp>

#include "audit/log.hpp"
#include "policy/tool_policy.hpp"

namespace prx::app {

/// What a guarded runtime holds requests to.
struct Guard {
  policy::ToolPolicy policy;
  Supervisor supervisor;  ///< may be empty
  std::chrono::milliseconds ask_timeout{};
  std::shared_ptr<audit::Log> log;  ///< none: nothing is written
};

/// The one way in: policy, then the audit log, then what runs it.
class GuardedRuntime final : public RuntimeAdapter {
 public:
  GuardedRuntime(Guard guard, std::unique_ptr<RuntimeAdapter> inner);

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  [[nodiscard]] Availability is_available() override { return inner_->is_available(); }
  Result<Execution> start(ExecutionRequest request, ExecutionEvents events) override;
  using RuntimeAdapter::execute;
  Result<ExecutionOutput> execute(ExecutionRequest request) override;

 private:
  /// What the audit log calls an admitted request; empty without a log.
  [[nodiscard]] Result<std::string> admit(const ExecutionRequest& request);
  Result<Execution> start_admitted(ExecutionRequest request, ExecutionEvents events);
  Result<ExecutionOutput> execute_admitted(ExecutionRequest request);
  [[nodiscard]] audit::Answer ask(const ExecutionRequest& request, const policy::Decision& decision) const;

  const Guard guard_;
  const std::unique_ptr<RuntimeAdapter> inner_;
};

}  // namespace prx::app
