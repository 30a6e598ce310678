#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <prx/result.hpp>

#include "backends/docker/container_plan.hpp"
#include "backends/docker/engine.hpp"
#include "core/slot_source.hpp"

namespace prx::backends {

/// A container with prx-init in it, waiting for its request.
struct RunningContainer {
  std::string id;
  std::string name;
  base::Fd stream;         ///< attached: what prx-init reads and writes, as core/stream_decoder.hpp takes it
  io::HttpConnection end;  ///< the daemon's answer to a wait call: its head has come, its body has not
};

/// Makes, ends and removes the containers of one runtime. Calls wait on the calling thread, each with a
/// deadline.
class Containers {
 public:
  Containers(Engine& engine, ContainerPlan plan) : engine_(engine), plan_(std::move(plan)) {}

  /// The refusal of a create call is told apart: nothing is left of such a container.
  struct Made {
    std::optional<RunningContainer> container{};
    EngineReply refusal{};
  };
  /// Errors of step "docker". Nothing is left behind where there is no container.
  [[nodiscard]] Result<Made> make(const ContainerSpec& spec, const io::Patience& patience);

  /// Also of one that runs, with its volumes; a few times, where the daemon is busy with it.
  void remove(const std::string& container, int stop_fd);
  void kill(const std::string& container);
  /// How a container ended whose stream did.
  [[nodiscard]] core::SlotDeath find_out(RunningContainer& container);
  /// Removes the containers of hosts that have died.
  void sweep();

  [[nodiscard]] const ContainerPlan& plan() const noexcept { return plan_; }

 private:
  [[nodiscard]] Result<RunningContainer> start(std::string id, std::string name,
                                               const io::Patience& patience);
  [[nodiscard]] Error start_error(const EngineReply& reply) const;
  [[nodiscard]] bool is_left_behind(const io::JsonValue& container) const;

  Engine& engine_;
  const ContainerPlan plan_;
};

}  // namespace prx::backends
