#include "backends/docker/docker_slots.hpp"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "backends/docker/attach_decoder.hpp"
#include "backends/docker/owner.hpp"
#include "base/log.hpp"
#include "base/try.hpp"

namespace prx::backends {
namespace {

/// At once: pulls, and removing beside parking.
constexpr std::size_t kMostWorkers = 8;
/// From nothing to a slot; a pull has a deadline of its own, and is waited for besides.
constexpr std::chrono::milliseconds kSlotTime{90'000};
/// From the start of a container to the greeting of its prx-init.
constexpr std::chrono::milliseconds kGreetingTime{30'000};

/// Whether it has greeted, and nothing has happened to it since.
bool is_waiting(const RunningContainer& container) {
  pollfd stream{container.stream.get(), POLLIN | POLLRDHUP, 0};
  return ::poll(&stream, 1, 0) == 1 && stream.revents == POLLIN;
}

}  // namespace

DockerSlots::DockerSlots(std::unique_ptr<Engine> engine, CacheFolder cache, os::Event stop, DockerPlan plan)
    : plan_(std::move(plan)),
      stop_(std::move(stop)),
      engine_(std::move(engine)),
      preparation_(*engine_, std::move(cache), plan_.container.uid, plan_.container.gid),
      containers_(*engine_, plan_.container),
      images_(*engine_, plan_.images, workers_, stop_.fd()),
      workers_(kMostWorkers) {
  workers_.run([this] { containers_.sweep(); });
}

DockerSlots::~DockerSlots() {
  stop_.set();
  std::map<std::string, std::deque<Parked>> parked;
  std::map<std::uint32_t, RunningContainer> live;
  {
    const std::scoped_lock lock(mutex_);
    parked.swap(parked_);
    live.swap(live_);
  }
  for (auto& [reference, containers] : parked) {
    for (auto& one : containers) remove_later(std::move(one.container.id));
  }
  for (auto& [slot, container] : live) {
    if (!plan_.keep) remove_later(std::move(container.id));
  }
}

const std::string& DockerSlots::image_for(const std::string& tool) const {
  const auto own = plan_.tool_images.find(tool);
  return own == plan_.tool_images.end() ? plan_.image : own->second;
}

Result<core::Slot> DockerSlots::take(const core::SlotWish& wish) {
  const auto& reference = image_for(wish.tool);
  const auto pull = io::Patience::of(plan_.images.pull_time + kSlotTime, wish.cancelled_fd);
  PRX_CHECK(engine_->agree(pull));
  PRX_TRY(const auto image, images_.find(reference, pull));
  if (auto parked = take_parked(reference, image)) {
    refill_later(reference);
    return hand_out(*std::move(parked), SlotKind::warm);
  }
  PRX_TRY(auto made, make(image, io::Patience::of(kSlotTime, wish.cancelled_fd)));
  refill_later(reference);
  return hand_out(std::move(made), SlotKind::cold);
}

Result<core::Slot> DockerSlots::take_cold() {
  return take({});
}

/// What was parked of another image with this name, or has ended since (its daemon was restarted), goes.
std::optional<DockerSlots::Parked> DockerSlots::take_parked(const std::string& reference,
                                                            const Image& image) {
  const std::scoped_lock lock(mutex_);
  auto& parked = parked_[reference];
  while (!parked.empty()) {
    auto one = std::move(parked.back());
    parked.pop_back();
    if (one.prepared->spec.image == image.id && is_waiting(one.container)) return one;
    remove_later(std::move(one.container.id));
  }
  return std::nullopt;
}

Result<DockerSlots::Parked> DockerSlots::make(const Image& image, const io::Patience& patience) {
  for (bool retried = false;; retried = true) {
    PRX_TRY(auto prepared, preparation_.prepare(image, patience));
    auto spec = prepared->spec;
    if (plan_.keep) spec.labels.emplace_back(kKeepLabel, "1");
    PRX_TRY(auto made, containers_.make(spec, patience));
    if (made.container) return Parked{*std::move(made.container), std::move(prepared)};
    if (retried || !preparation_.stop_mounting_files(made.refusal.message)) return refused(made.refusal);
  }
}

Error DockerSlots::refused(const EngineReply& reply) const {
  auto error = engine_->refusal_error(reply, "create");
  constexpr std::string_view kMissing = "bind source path does not exist";
  if (reply.message.find(kMissing) != std::string::npos) {
    error.kind = ErrorKind::unsupported;
    error.detail =
        "the docker daemon does not see this machine's files, so that none can be mounted: " + reply.message;
    error.hint = "use a daemon of this machine, or set runtime.docker.mount_workspace = false";
  } else if (error.kind == ErrorKind::setup_failed || error.kind == ErrorKind::not_found) {
    error.kind = ErrorKind::unavailable;
  }
  return error;
}

core::Slot DockerSlots::hand_out(Parked parked, SlotKind kind) {
  core::Slot slot;
  slot.kind = kind;
  slot.stream = std::move(parked.container.stream);
  slot.streams = core::SlotStreams::frames;
  slot.decoder = std::make_unique<AttachDecoder>();
  slot.env = parked.prepared->env;
  slot.shell = parked.prepared->shell;
  slot.sealed = true;
  if (plan_.keep) slot.warnings.push_back("the container " + parked.container.name + " is kept");
  const std::scoped_lock lock(mutex_);
  slot.id = next_slot_++;
  live_.emplace(slot.id, std::move(parked.container));
  return slot;
}

void DockerSlots::release(std::uint32_t slot) {
  const std::scoped_lock lock(mutex_);
  auto found = live_.extract(slot);
  if (found && !plan_.keep) remove_later(std::move(found.mapped().id));
}

core::SlotDeath DockerSlots::find_out(std::uint32_t slot) {
  std::optional<RunningContainer> container;
  {
    const std::scoped_lock lock(mutex_);
    auto found = live_.extract(slot);
    if (!found) return {};
    container = std::move(found.mapped());
  }
  auto death = containers_.find_out(*container);
  const std::scoped_lock lock(mutex_);
  live_.emplace(slot, *std::move(container));
  return death;
}

void DockerSlots::kill(std::uint32_t slot) {
  const std::scoped_lock lock(mutex_);
  const auto found = live_.find(slot);
  if (found == live_.end()) return;
  workers_.run([this, id = found->second.id] { containers_.kill(id); });
}

void DockerSlots::remove_later(std::string container) {
  workers_.run([this, id = std::move(container)] { containers_.remove(id, stop_.fd()); });
}

bool DockerSlots::is_stopping() const {
  pollfd stop{stop_.fd(), POLLIN, 0};
  return ::poll(&stop, 1, 0) != 0;
}

void DockerSlots::refill_later(const std::string& reference) {
  const std::scoped_lock lock(mutex_);
  if (parked_[reference].size() >= plan_.pool || !refilling_.insert(reference).second) return;
  workers_.run([this, reference] { refill(reference); });
}

void DockerSlots::refill(const std::string& reference) {
  for (;;) {
    {
      const std::scoped_lock lock(mutex_);
      if (is_stopping() || parked_[reference].size() >= plan_.pool) {
        refilling_.erase(reference);
        return;
      }
    }
    if (park_one(reference)) continue;
    const std::scoped_lock lock(mutex_);
    refilling_.erase(reference);  // the next cold start reports it
    return;
  }
}

bool DockerSlots::park_one(const std::string& reference) {
  const auto patience = io::Patience::of(kSlotTime, stop_.fd());
  const auto image = images_.find(reference, patience);
  if (!image) return false;
  auto made = make(*image, patience);
  if (!made) {
    base::log(base::LogLevel::info, "no container could be parked: " + made.error().message());
    return false;
  }
  const auto greeted = io::wait_for(made->container.stream.get(), POLLIN, patience.at_most(kGreetingTime));
  if (!greeted || !is_waiting(made->container)) {
    containers_.remove(made->container.id, stop_.fd());
    return false;
  }
  const std::scoped_lock lock(mutex_);
  if (is_stopping()) {  // the pool has been emptied
    remove_later(std::move(made->container.id));
    return false;
  }
  parked_[reference].push_back(std::move(*made));
  return true;
}

}  // namespace prx::backends
