#include <filesystem>

#include <prx/runtimes.hpp>

#include "contract/backend_under_test.hpp"
#include "contract/framed_slots.hpp"
#include "support/artefacts.hpp"

namespace prx::test {
namespace {

Result<std::unique_ptr<RuntimeAdapter>> make_native(Config config, HostKind host, SandboxChoice sandbox) {
  config.security.sandbox.backend = sandbox;
  if (sandbox == SandboxChoice::none) return create_runtime(config, host);
  // What the tests write and read is in /tmp, their probes stand in the build's folder.
  config.security.sandbox.share_tmp = true;
  config.workspace = "/tmp";
  config.security.sandbox.readonly_paths.push_back(
      std::filesystem::path(probe_path("noop")).parent_path().string());
  return create_runtime(config, host);
}

BackendUnderTest native(std::string name, HostKind host, bool many_at_once,
                        SandboxChoice sandbox = SandboxChoice::none) {
  return {
      .name = std::move(name),
      .make = [host, sandbox](const Config& config) { return make_native(config, host, sandbox); },
      .backend = "native",
      .sandbox = std::string(to_string(sandbox)),
      .many_at_once = many_at_once,
  };
}

BackendUnderTest native_framed() {
  return {
      .name = "NativeFramed",
      .make = [](const Config& config) { return make_native_framed(config); },
      .backend = "native",
      .sandbox = "none",
      .passes_descriptors = false,
  };
}

}  // namespace

const std::vector<BackendUnderTest>& all_backends() {
  static const std::vector<BackendUnderTest> backends{
      native("NativeLibrary", HostKind::library, true),
      // One command at a time: what a killed prx-init leaves behind is told from nothing else.
      native("NativeOneShot", HostKind::one_shot, false),
      native("Namespaces", HostKind::library, true, SandboxChoice::namespaces),
      native_framed(),
  };
  return backends;
}

}  // namespace prx::test
