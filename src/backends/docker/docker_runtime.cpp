#include "backends/docker/docker_runtime.hpp"

#include <utility>

#include "base/try.hpp"
#include "core/slot_runtime.hpp"

namespace prx::backends {
namespace {

/// What stands where no slots could be had at all: says why, each time.
class NoSlots final : public core::SlotSource {
 public:
  explicit NoSlots(Error why) : why_(std::move(why)) {}

  Result<core::Slot> take(const core::SlotWish&) override { return why_; }
  Result<core::Slot> take_cold() override { return why_; }
  void release(std::uint32_t) override {}
  void kill(std::uint32_t) override {}
  void clean_up_after(std::uint32_t) override {}

 private:
  const Error why_;
};

Result<std::unique_ptr<core::SlotSource>> make_slots(const DockerPlan& plan, const Endpoint& endpoint) {
  PRX_TRY(auto cache, CacheFolder::open());
  PRX_TRY(auto stop, os::Event::open());
  PRX_TRY(auto connector, Connector::make(endpoint));
  return std::unique_ptr<core::SlotSource>(std::make_unique<DockerSlots>(
      std::make_unique<Engine>(std::move(connector)), std::move(cache), std::move(stop), plan));
}

/// Whether a daemon answers, and has the image or may fetch it.
Result<void> look(const DockerPlan& plan, const Endpoint& endpoint) {
  const auto patience = io::Patience::of(Engine::kProbeTime);
  PRX_TRY(auto connector, Connector::make(endpoint));
  Engine engine(std::move(connector));
  PRX_CHECK(engine.agree(patience));
  if (plan.images.auto_pull) return {};
  PRX_TRY(const auto reply, engine.call("GET", "/images/" + io::escape_url(plan.image) + "/json", patience));
  if (reply.ok()) return {};
  return Error{ErrorKind::not_found,
               "image",
               plan.image,
               0,
               "the docker daemon does not have this image",
               "pull it (`docker pull " + plan.image + "`)"};
}

}  // namespace

std::unique_ptr<RuntimeAdapter> make_docker_runtime(core::Settings settings, DockerPlan plan,
                                                    Endpoint endpoint) {
  auto probe = [plan, endpoint]() -> Availability {
    const auto found = look(plan, endpoint);
    if (found) return {true, {}, {}};
    return {false, found.error().message(), found.error().hint};
  };
  auto make = [plan = std::move(plan),
               endpoint = std::move(endpoint)]() -> std::unique_ptr<core::SlotSource> {
    auto slots = make_slots(plan, endpoint);
    if (slots) return std::move(slots).value();
    return std::make_unique<NoSlots>(std::move(slots).error());
  };
  return std::make_unique<core::SlotRuntime>(std::move(settings), std::move(make), std::move(probe));
}

}  // namespace prx::backends
