#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "backends/docker/containers.hpp"
#include "backends/docker/engine.hpp"
#include "backends/docker/images.hpp"
#include "backends/docker/preparation.hpp"
#include "core/slot_source.hpp"
#include "io/workers.hpp"
#include "os/event.hpp"

namespace prx::backends {

/// What a runtime's containers are.
struct DockerPlan {
  ContainerPlan container;
  std::string image;
  std::map<std::string, std::string> tool_images;
  Images::Settings images;
  std::uint32_t pool = 0;  ///< parked containers for each image that is in use
  bool keep = false;       ///< ended containers stay, and are named in the output
};

/// Slots that are containers of one daemon. Parked ones run already, with prx-init in them that waits.
/// Whatever need not be waited for (removing, parking, sweeping) is done by threads of its own.
class DockerSlots final : public core::SlotSource {
 public:
  DockerSlots(std::unique_ptr<Engine> engine, CacheFolder cache, os::Event stop, DockerPlan plan);
  /// Removes every container that is not to be kept, and waits for it.
  ~DockerSlots() override;
  DockerSlots(const DockerSlots&) = delete;
  DockerSlots& operator=(const DockerSlots&) = delete;

  [[nodiscard]] bool waits() const noexcept override { return true; }
  Result<core::Slot> take(const core::SlotWish& wish) override;
  Result<core::Slot> take_cold() override;
  void release(std::uint32_t slot) override;
  core::SlotDeath find_out(std::uint32_t slot) override;
  void kill(std::uint32_t slot) override;
  void clean_up_after(std::uint32_t) override {}  // nothing of a container is outside of it

 private:
  struct Parked {
    RunningContainer container;
    std::shared_ptr<const Prepared> prepared;
  };

  [[nodiscard]] const std::string& image_for(const std::string& tool) const;
  [[nodiscard]] Result<Parked> make(const Image& image, const io::Patience& patience);
  [[nodiscard]] Error refused(const EngineReply& reply) const;
  [[nodiscard]] std::optional<Parked> take_parked(const std::string& reference, const Image& image);
  [[nodiscard]] core::Slot hand_out(Parked parked, SlotKind kind);
  void remove_later(std::string container);
  void refill_later(const std::string& reference);
  void refill(const std::string& reference);
  [[nodiscard]] bool park_one(const std::string& reference);
  [[nodiscard]] bool is_stopping() const;

  const DockerPlan plan_;
  const os::Event stop_;
  const std::unique_ptr<Engine> engine_;
  Preparation preparation_;
  Containers containers_;

  std::mutex mutex_;
  std::uint32_t next_slot_ = 1;                       // guarded by mutex_
  std::map<std::uint32_t, RunningContainer> live_;    // guarded by mutex_: handed out
  std::map<std::string, std::deque<Parked>> parked_;  // guarded by mutex_: by reference
  std::set<std::string> refilling_;                   // guarded by mutex_: references
  Images images_;                                     // pulls run on workers_
  io::Workers workers_;                               // uses all that is above
};

}  // namespace prx::backends
