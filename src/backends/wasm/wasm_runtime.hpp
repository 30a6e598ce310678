#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include <prx/config.hpp>
#include <prx/runtime.hpp>

#include "backends/wasm/code_cache.hpp"
#include "backends/wasm/module_file.hpp"
#include "base/fd.hpp"
#include "core/planned_slot.hpp"
#include "core/settings.hpp"
#include "core/slot_runtime.hpp"

namespace prx::backends {

/// What a runtime's modules run in.
struct WasmPlan {
  WasmEngine engine = WasmEngine::wasmtime;
  std::string module_path;
  std::chrono::milliseconds ceiling{0};  ///< of every timeout; zero: none
  std::string setup;                     ///< protocol::WasmSetup, encoded
  core::PlanSource plan;
  std::uint32_t parked = 0;
  CodeCache::Folders cache;  ///< made when there is something to keep
};

/// Finds the module that a command names and runs it in slots of its own: a core::SlotRuntime for each
/// module, made on first use. A file that has changed is another module from the next call on.
class WasmRuntime final : public RuntimeAdapter {
 public:
  WasmRuntime(core::Settings settings, WasmPlan plan);
  ~WasmRuntime() override;
  WasmRuntime(const WasmRuntime&) = delete;
  WasmRuntime& operator=(const WasmRuntime&) = delete;

  [[nodiscard]] std::string_view name() const noexcept override { return "wasm"; }
  /// Whether the engine's worker is there.
  [[nodiscard]] Availability is_available() override;
  /// Compiles a module that is not compiled yet, and waits for that.
  Result<Execution> start(ExecutionRequest request, ExecutionEvents events) override;
  using RuntimeAdapter::execute;
  Result<ExecutionOutput> execute(ExecutionRequest request) override;

 private:
  struct Module;

  [[nodiscard]] Result<std::shared_ptr<Module>> prepare(ExecutionRequest& request);
  /// One that is counted as running.
  [[nodiscard]] Result<std::shared_ptr<Module>> find(ModuleFile file);
  void drop_idle();

  const core::Settings settings_;
  const WasmPlan plan_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Module>> modules_;  // guarded by mutex_; the last used first
};

}  // namespace prx::backends
