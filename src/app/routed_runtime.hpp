#pragma once

#include <map>
#include <memory>
#include <mutex>

#include <prx/config.hpp>
#include <prx/runtime.hpp>
#include <prx/runtimes.hpp>

namespace prx::app {

/// Sends each request to the backend of its tool. The one of requests without a tool is there from the start;
/// another is made when a tool first needs it, and tried again with the next call where it could not be made:
/// a call never goes to another backend than its own.
class RoutedRuntime final : public RuntimeAdapter {
 public:
  RoutedRuntime(Config config, HostKind host, std::unique_ptr<RuntimeAdapter> main);

  [[nodiscard]] std::string_view name() const noexcept override { return main_->name(); }
  [[nodiscard]] Availability is_available() override { return main_->is_available(); }
  Result<Execution> start(ExecutionRequest request, ExecutionEvents events) override;
  using RuntimeAdapter::execute;
  Result<ExecutionOutput> execute(ExecutionRequest request) override;

 private:
  [[nodiscard]] Result<RuntimeAdapter*> runtime_for(const std::string& tool);

  const Config config_;
  const HostKind host_;
  const std::unique_ptr<RuntimeAdapter> main_;
  std::mutex mutex_;
  std::map<BackendChoice, std::unique_ptr<RuntimeAdapter>> others_;  // guarded by mutex_
};

}  // namespace prx::app
