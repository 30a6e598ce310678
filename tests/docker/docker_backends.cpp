#include <filesystem>

#include <prx/runtimes.hpp>

#include "contract/backend_under_test.hpp"
#include "support/artefacts.hpp"
#include "support/docker_daemon.hpp"

namespace prx::test {
namespace {

/// What the tests write and read is in /tmp, their probes stand in the build's folder: both at their own paths.
Result<std::unique_ptr<RuntimeAdapter>> make_docker(Config config, std::uint32_t pool) {
  config.runtime.backend = BackendChoice::docker;
  config.runtime.docker.socket = docker_socket();
  config.runtime.docker.auto_pull = false;
  config.runtime.docker.pool = pool;
  config.runtime.docker.workspace_mount_path = "/tmp";
  config.security.sandbox.share_tmp = true;
  config.security.sandbox.readonly_paths.push_back(
      std::filesystem::path(probe_path("noop")).parent_path().string());
  config.workspace = "/tmp";
  return create_runtime(config);
}

BackendUnderTest docker(std::string name, std::uint32_t pool) {
  return {
      .name = std::move(name),
      .make = [pool](const Config& config) { return make_docker(config, pool); },
      .backend = "docker",
      .sandbox = "docker",
      .passes_descriptors = false,
  };
}

}  // namespace

const std::vector<BackendUnderTest>& all_backends() {
  static const std::vector<BackendUnderTest> backends{docker("DockerCold", 0), docker("DockerWarm", 2)};
  return backends;
}

}  // namespace prx::test
