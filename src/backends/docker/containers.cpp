#include "backends/docker/containers.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <chrono>
#include <utility>

#include "backends/docker/owner.hpp"
#include "base/log.hpp"
#include "base/try.hpp"

namespace prx::backends {
namespace {

constexpr std::chrono::milliseconds kRemoveTime{30'000};
constexpr std::chrono::milliseconds kEndTime{3'000};
/// A container of a host that nothing is known of, and that has not run for this long, is nobody's.
constexpr std::chrono::hours kForgotten{1};

/// Never used twice: a daemon may still be removing a container of the same name.
std::string make_name() {
  std::array<unsigned char, 8> random{};
  // Only for uniqueness: without entropy yet the name is less random, and a clash is an error.
  [[maybe_unused]] const auto size = ::getrandom(random.data(), random.size(), 0);
  std::string name = "prx-";
  for (const auto byte : random) name += fmt::format("{:02x}", byte);
  return name;
}

std::string path_of(const std::string& container, std::string_view rest = {}) {
  return fmt::format("/containers/{}{}", container, rest);
}

}  // namespace

Result<Containers::Made> Containers::make(const ContainerSpec& spec, const io::Patience& patience) {
  auto name = make_name();
  const auto body = make_create_body(plan_, spec);
  const auto time = patience.at_most(Engine::kStartTime);
  auto created = engine_.call("POST", "/containers/create?name=" + name, time, &body);
  if (!created) {
    remove(name, -1);  // the daemon may have made it all the same
    return std::move(created).error();
  }
  if (!created->ok()) return Made{{}, std::move(created).value()};
  auto id = created->body["Id"].text();
  auto started = start(id, std::move(name), time);
  if (!started) {
    remove(id, -1);
    return std::move(started).error();
  }
  return Made{std::move(started).value(), {}};
}

/// Every other order loses output, hangs, or takes a container that never started for one that ended well.
Result<RunningContainer> Containers::start(std::string id, std::string name, const io::Patience& patience) {
  PRX_TRY(auto stream, engine_.attach(id, patience));
  PRX_TRY(auto end,
          engine_.open({.method = "POST", .target = path_of(id, "/wait?condition=next-exit")}, patience));
  if (!end.connection) return engine_.refusal_error(end.refusal, "wait");
  PRX_TRY(const auto reply, engine_.call("POST", path_of(id, "/start"), patience));
  if (!reply.ok()) return start_error(reply);
  return RunningContainer{std::move(id), std::move(name), std::move(stream), *std::move(end.connection)};
}

/// What starts is prx-init, whatever the command: a refusal is always the daemon's or the runtime's.
Error Containers::start_error(const EngineReply& reply) const {
  auto error = engine_.refusal_error(reply, "start");
  error.kind = ErrorKind::unavailable;
  error.hint =
      "`docker run --rm --network none IMAGE true` shows whether the daemon can run a container at all";
  if (!plan_.oci_runtime.empty()) error.hint += "; the runtime is " + plan_.oci_runtime;
  return error;
}

void Containers::remove(const std::string& container, int stop_fd) {
  constexpr int kMostTries = 5;
  constexpr std::chrono::milliseconds kPause{500};
  for (int i = 0; i < kMostTries; ++i) {
    const auto reply =
        engine_.call("DELETE", path_of(container, "?force=1&v=1"), io::Patience::of(kRemoveTime));
    // 404: it is gone. 409: somebody else is removing it, such as the daemon itself.
    if (reply && (reply->ok() || reply->status == 404 || reply->status == 409)) return;
    const auto& said = reply ? reply->message : reply.error().message();
    base::log(base::LogLevel::warning, fmt::format("container {} could not be removed: {}", container, said));
    if (!reply) return;  // of no use now; the next host sweeps it
    const auto paused = io::wait_for(-1, 0, io::Patience::of(kPause, stop_fd));
    (void)paused;
  }
}

void Containers::kill(const std::string& container) {
  const auto reply =
      engine_.call("POST", path_of(container, "/kill?signal=KILL"), io::Patience::of(Engine::kCallTime));
  if (!reply) base::log(base::LogLevel::warning, reply.error().message());
}

core::SlotDeath Containers::find_out(RunningContainer& container) {
  const auto patience = io::Patience::of(kEndTime);
  if (const auto body = container.end.read_piece(patience); !body || body->empty()) {
    return {.detail = "the docker daemon went away, and the command was ended with it"};
  }
  const auto reply = engine_.call("GET", path_of(container.id, "/json"), patience);
  if (!reply || !reply->ok()) return {};
  const auto state = reply->body["State"];
  if (state["OOMKilled"].boolean()) return {.ending = OutOfMemory{plan_.memory}};
  auto detail =
      fmt::format("its container ended (status {}) before it could report", state["ExitCode"].number());
  if (const auto said = state["Error"].text(); !said.empty()) detail += ": " + said;
  return {.detail = std::move(detail)};
}

bool Containers::is_left_behind(const io::JsonValue& container) const {
  const auto labels = container["Labels"];
  if (!labels[kKeepLabel].is_null()) return false;
  switch (look_for_owner(labels[kOwnerLabel].text())) {
    case Owner::alive:
      return false;
    case Owner::dead:
      return true;
    case Owner::elsewhere:
      break;
  }
  // It cannot come back to life: prx starts a container once.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto age = now - std::chrono::seconds(container["Created"].number());
  return container["State"].text() != "running" && age > kForgotten;
}

void Containers::sweep() {
  const auto filter = io::escape_url(fmt::format(R"({{"label":["{}"]}})", kOwnerLabel));
  const auto reply =
      engine_.call("GET", "/containers/json?all=1&filters=" + filter, io::Patience::of(Engine::kCallTime));
  if (!reply || !reply->ok()) return;
  for (const auto& container : reply->body.items()) {
    if (!is_left_behind(container)) continue;
    base::log(base::LogLevel::info, "removing a container that a host left behind");
    remove(container["Id"].text(), -1);
  }
}

}  // namespace prx::backends
