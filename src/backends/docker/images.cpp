#include "backends/docker/images.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <utility>

#include "backends/docker/credentials.hpp"
#include "backends/docker/image_reference.hpp"
#include "backends/docker/pull_progress.hpp"
#include "base/log.hpp"
#include "base/try.hpp"

namespace prx::backends {
namespace {

/// A helper may ask its user, or a keyring.
constexpr std::chrono::milliseconds kCredentialTime{30'000};
/// While it resolves a name and asks a registry the daemon says nothing.
constexpr std::chrono::milliseconds kPullStart{60'000};

Error image_error(ErrorKind kind, const std::string& reference, std::string detail, std::string hint) {
  return {kind, "image", reference, 0, std::move(detail), std::move(hint)};
}

/// The daemon's words are all there is: it answers 404 also where a registry wants to know who asks.
Error pull_error(const std::string& reference, const std::string& said) {
  const auto says = [&](std::string_view text) { return said.find(text) != std::string::npos; };
  if (says("unauthorized") || says("denied") || says("authentication required")) {
    return image_error(ErrorKind::denied, reference, "it could not be pulled: " + said,
                       "check its name, and log in to its registry (`docker login`)");
  }
  if (says("not found") || says("manifest unknown") || says("no matching manifest")) {
    return image_error(ErrorKind::not_found, reference, "it could not be pulled: " + said,
                       "check its name and tag");
  }
  return image_error(ErrorKind::unavailable, reference, "it could not be pulled: " + said,
                     "see whether the daemon reaches the registry, or load the image (`docker load`)");
}

}  // namespace

Images::Images(Engine& engine, Settings settings, io::Workers& workers, int stop_fd)
    : engine_(engine), settings_(std::move(settings)), workers_(workers), stop_fd_(stop_fd) {}

Result<Image> Images::find(const std::string& reference, const io::Patience& patience) {
  for (bool pulled = false;; pulled = true) {
    PRX_TRY(auto image, look(reference, patience));
    if (image) return *std::move(image);
    if (pulled) return image_error(ErrorKind::not_found, reference, "it was pulled, and is gone again", {});
    if (!settings_.auto_pull) {
      return image_error(ErrorKind::not_found, reference, "the docker daemon does not have this image",
                         "pull it (`docker pull " + reference + "`), or set runtime.docker.auto_pull = true");
    }
    PRX_CHECK(pull(reference, patience));
  }
}

Result<std::optional<Image>> Images::look(const std::string& reference, const io::Patience& patience) {
  const auto path = "/images/" + io::escape_url(reference) + "/json";
  PRX_TRY(const auto reply, engine_.call("GET", path, patience.at_most(Engine::kCallTime)));
  if (reply.status == 404) return std::optional<Image>();
  if (!reply.ok())
    return image_error(ErrorKind::invalid_request, reference, reply.message, "check the image's name");
  Image image{.id = reply.body["Id"].text()};
  for (const auto& entry : reply.body["Config"]["Env"].items()) image.env.push_back(entry.text());
  if (const auto os = reply.body["Os"].text("linux"); os != "linux") {
    return image_error(ErrorKind::unsupported, reference, "it is an image for " + os, "choose one for linux");
  }
  return std::optional<Image>(std::move(image));
}

/// One pull, however many wait for it, and it goes on when one of them gives up.
Result<void> Images::pull(const std::string& reference, const io::Patience& patience) {
  std::shared_ptr<Pull> pull;
  {
    const std::scoped_lock lock(mutex_);
    auto& running = pulls_[reference];
    if (!running) {
      auto event = os::Event::open();
      if (!event) {
        pulls_.erase(reference);
        return std::move(event).error();
      }
      running = std::make_shared<Pull>(std::move(event).value());
      workers_.run([this, reference, started = running] {
        auto result = run_pull(reference);
        if (!result) started->error = std::move(result).error();
        {
          const std::scoped_lock done_lock(mutex_);
          pulls_.erase(reference);
        }
        started->done.set();
      });
    }
    pull = running;
  }
  const auto waited = io::wait_for(pull->done.fd(), POLLIN, patience);
  if (!waited) {
    return Error{ErrorKind::disconnected,       "image", reference, waited.error().os_errno,
                 "the pull was not waited for", {}};
  }
  if (pull->error) return *pull->error;
  return {};
}

Result<void> Images::run_pull(const std::string& reference) {
  const auto patience = io::Patience::of(settings_.pull_time, stop_fd_);
  const auto name = parse_image_reference(reference);
  PRX_TRY(const auto auth,
          find_registry_auth(settings_.docker_config, name.registry, patience.at_most(kCredentialTime)));
  io::HttpRequest request{.method = "POST",
                          .target = fmt::format("/images/create?fromImage={}&tag={}",
                                                io::escape_url(name.repository), io::escape_url(name.tag))};
  if (!auth.empty()) request.headers.emplace_back("X-Registry-Auth", auth);
  base::log(base::LogLevel::info, "pulling " + reference);
  PRX_TRY(auto stream, engine_.open(request, patience.at_most(kPullStart)));
  if (!stream.connection) return pull_error(reference, stream.refusal.message);
  PullProgress progress(reference);
  for (;;) {
    const auto piece = stream.connection->read_piece(patience.at_most(settings_.pull_silence));
    if (!piece && piece.error().os_errno == ETIMEDOUT) {
      return image_error(ErrorKind::unavailable, reference,
                         "the pull makes no progress: " + progress.summary(),
                         "see whether the daemon reaches the registry");
    }
    if (!piece) return pull_error(reference, "the docker daemon went away");
    if (piece->empty()) break;
    progress.take(*piece);
  }
  // A pull that failed is answered with 200 all the same.
  if (!progress.error().empty()) return pull_error(reference, progress.error());
  base::log(base::LogLevel::info, "pulled " + reference);
  return {};
}

}  // namespace prx::backends
