#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include <prx/runtime.hpp>

#include "core/settings.hpp"
#include "core/slot_source.hpp"

namespace prx::core {

/// What a relative working directory is relative to, and where a command starts that names none: the
/// caller's, or the workspace, where the caller stands outside of it. Empty where the caller's no longer
/// exists.
[[nodiscard]] std::string base_directory(const Settings& settings);

/// The RuntimeAdapter that every backend is: its slots and its settings; everything else is here, once.
class SlotRuntime final : public RuntimeAdapter {
 public:
  using MakeSlots = std::function<std::unique_ptr<SlotSource>()>;
  using Probe = std::function<Availability()>;

  /// `make_slots` is called on first use, and again in a forked child of the host: parent and child share no
  /// slot.
  SlotRuntime(Settings settings, MakeSlots make_slots, Probe probe);
  ~SlotRuntime() override;
  SlotRuntime(const SlotRuntime&) = delete;
  SlotRuntime& operator=(const SlotRuntime&) = delete;

  [[nodiscard]] std::string_view name() const noexcept override { return settings_.backend; }
  [[nodiscard]] Availability is_available() override { return probe_(); }
  Result<Execution> start(ExecutionRequest request, ExecutionEvents events) override;
  using RuntimeAdapter::execute;
  Result<ExecutionOutput> execute(ExecutionRequest request) override;

 private:
  struct Host;

  Result<Execution> start_on_reactor(ExecutionRequest request, ExecutionEvents events);
  Result<ExecutionOutput> run_here(ExecutionRequest request);

  Host& host();

  const Settings settings_;
  const MakeSlots make_slots_;
  const Probe probe_;
  std::atomic<Host*> host_{nullptr};
};

}  // namespace prx::core
