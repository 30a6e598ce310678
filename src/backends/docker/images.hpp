#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <prx/result.hpp>

#include "backends/docker/cache_folder.hpp"
#include "backends/docker/engine.hpp"
#include "backends/docker/image_facts.hpp"
#include "io/workers.hpp"
#include "os/event.hpp"

namespace prx::backends {

/// An image that the daemon has.
struct Image {
  std::string id;
  std::vector<std::string> env;
};

/// The images of one daemon: looked up, and fetched where they are missing. Thread-safe.
class Images {
 public:
  struct Settings {
    bool auto_pull = true;
    std::string docker_config;  ///< the folder with Docker's credentials
    std::chrono::milliseconds pull_time{std::chrono::minutes(30)};
    std::chrono::milliseconds pull_silence{std::chrono::minutes(2)};  ///< without any progress
  };
  /// Pulls run on `workers`, until `stop_fd` is readable.
  Images(Engine& engine, Settings settings, io::Workers& workers, int stop_fd);

  /// Errors: not_found (the daemon does not have it, and may not or cannot fetch it), denied (the registry),
  /// disconnected, unavailable; step "image", subject the image.
  [[nodiscard]] Result<Image> find(const std::string& reference, const io::Patience& patience);

 private:
  struct Pull {
    explicit Pull(os::Event event) : done(std::move(event)) {}
    os::Event done;
    std::optional<Error> error{};  // once done
  };

  [[nodiscard]] Result<std::optional<Image>> look(const std::string& reference, const io::Patience& patience);
  [[nodiscard]] Result<void> pull(const std::string& reference, const io::Patience& patience);
  [[nodiscard]] Result<void> run_pull(const std::string& reference);

  Engine& engine_;
  const Settings settings_;
  io::Workers& workers_;
  const int stop_fd_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Pull>> pulls_;  // guarded by mutex_: those in progress
};

}  // namespace prx::backends
