#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <prx/request.hpp>
#include <prx/result.hpp>

#include "backends/docker/cache_folder.hpp"
#include "backends/docker/container_plan.hpp"
#include "backends/docker/engine.hpp"
#include "backends/docker/images.hpp"

namespace prx::backends {

/// All that is needed to make containers of one image.
struct Prepared {
  ContainerSpec spec;
  std::vector<EnvVar> env;  ///< of a command, before anything of the host's
  std::string shell;
};

/// Finds out what containers of an image need, once for each image: what the image has, and how prx-init
/// comes in. That is a read-only mount of a file in prx's cache folder or, where the daemon does not see this
/// machine's files, of a volume that is filled through the daemon. Thread-safe.
class Preparation {
 public:
  Preparation(Engine& engine, CacheFolder cache, std::uint32_t uid, std::uint32_t gid);

  [[nodiscard]] Result<std::shared_ptr<const Prepared>> prepare(const Image& image,
                                                                const io::Patience& patience);
  /// The daemon said that it does not see a file that was to be mounted. False where that is known already,
  /// or is no file of prx's own.
  [[nodiscard]] bool stop_mounting_files(std::string_view refusal);

 private:
  class StoppedContainer;

  [[nodiscard]] Result<ImageFacts> find_facts(const Image& image, const io::Patience& patience);
  [[nodiscard]] Result<ImageFacts> read_facts(const Image& image, const io::Patience& patience);
  [[nodiscard]] Result<void> fill_volume(const Image& image, const io::Patience& patience);
  [[nodiscard]] Result<void> mount_files(const IdentityFiles& identity, ContainerSpec& spec) const;

  Engine& engine_;
  const CacheFolder cache_;
  const std::uint32_t uid_;
  const std::uint32_t gid_;
  const std::string owner_;
  const std::string volume_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Prepared>> prepared_;  // guarded by mutex_: by image id
  bool by_volume_;                                                   // guarded by mutex_
  bool volume_filled_ = false;                                       // guarded by mutex_
};

}  // namespace prx::backends
