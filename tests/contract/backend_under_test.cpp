#include "contract/backend_under_test.hpp"

#include <filesystem>

#include <prx/runtimes.hpp>

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

/// Without limits that need a group, and then without a spawner.
BackendUnderTest native_one_shot() {
  auto backend = native("NativeOneShot", HostKind::one_shot, false);
  backend.make = [make = backend.make](Config config) {
    config.security.resources.max_memory = Bytes{0};
    config.security.resources.max_subprocesses = 0;
    return make(config);
  };
  backend.limits_trees = false;
  return backend;
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
      native_one_shot(),
      native("Namespaces", HostKind::library, true, SandboxChoice::namespaces),
      native_framed(),
  };
  return backends;
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const auto& backend : all_backends()) {
    for (const auto call : {Call::execute, Call::start_and_wait}) variants.push_back({&backend, call});
  }
  return variants;
}

std::vector<const BackendUnderTest*> every_backend() {
  std::vector<const BackendUnderTest*> backends;
  for (const auto& backend : all_backends()) backends.push_back(&backend);
  return backends;
}

std::vector<const BackendUnderTest*> concurrent_backends() {
  auto backends = every_backend();
  std::erase_if(backends, [](const auto* backend) { return !backend->many_at_once; });
  return backends;
}

std::string name_of(const Variant& variant) {
  return variant.backend->name + (variant.call == Call::execute ? "Execute" : "Start");
}

std::string name_of(const BackendUnderTest* backend) {
  return backend->name;
}

std::ostream& operator<<(std::ostream& stream, const Variant& variant) {
  return stream << name_of(variant);
}

}  // namespace prx::test

namespace prx {

std::ostream& operator<<(std::ostream& stream, ErrorKind kind) {
  return stream << to_string(kind);
}

std::ostream& operator<<(std::ostream& stream, const Error& error) {
  return stream << to_string(error.kind) << ": " << error.message() << " (hint: " << error.hint << ')';
}

}  // namespace prx
