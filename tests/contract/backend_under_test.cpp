#include "contract/backend_under_test.hpp"

#include <cstdlib>
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

#if PRX_TEST_WASMTIME
BackendUnderTest wasm(std::string name, WasmEngine engine, HostKind host) {
  return {
      .name = std::move(name),
      .make =
          [engine, host](Config config) {
            // Of the build, so that not every test compiles.
            setenv("XDG_CACHE_HOME", PRX_TEST_BINARY_DIR "/wasm-cache", 1);
            setenv("XDG_STATE_HOME", PRX_TEST_BINARY_DIR "/wasm-cache", 1);
            config.runtime.backend = BackendChoice::wasm;
            config.runtime.wasm.engine = engine;
            return create_runtime(config, host);
          },
      .backend = "wasm",
      .sandbox = std::string(to_string(engine)),
      .many_at_once = host == HostKind::library,
      .passes_descriptors = false,  // the engine reads stdin ahead
      .portable = PRX_TEST_BINARY_DIR "/wasm-modules/portable.wasm",
      .limits_trees = false,
  };
}
#endif

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

const std::vector<BackendUnderTest>& portable_backends() {
  static const std::vector<BackendUnderTest> backends = [] {
    auto all = all_backends();
    for (auto& backend : all) backend.portable = probe_path("portable");
#if PRX_TEST_WASMTIME
    all.push_back(wasm("Wasmtime", WasmEngine::wasmtime, HostKind::library));
    all.push_back(wasm("WasmtimeOneShot", WasmEngine::wasmtime, HostKind::one_shot));
#endif
    return all;
  }();
  return backends;
}

std::vector<Variant> variants_of(const std::vector<BackendUnderTest>& backends) {
  std::vector<Variant> variants;
  for (const auto& backend : backends) {
    for (const auto call : {Call::execute, Call::start_and_wait}) variants.push_back({&backend, call});
  }
  return variants;
}

std::vector<const BackendUnderTest*> every_one(const std::vector<BackendUnderTest>& backends) {
  std::vector<const BackendUnderTest*> pointers;
  for (const auto& backend : backends) pointers.push_back(&backend);
  return pointers;
}

std::vector<const BackendUnderTest*> concurrent_ones(const std::vector<BackendUnderTest>& backends) {
  auto pointers = every_one(backends);
  std::erase_if(pointers, [](const auto* backend) { return !backend->many_at_once; });
  return pointers;
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
