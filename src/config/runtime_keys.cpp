#include <array>

#include "config/define_key.hpp"
#include "config/enums.hpp"
#include "config/schema.hpp"
#include "config/text_checks.hpp"

namespace prx::config {

namespace {

constexpr std::int64_t kMaxPool = 1024;
constexpr std::int64_t kLeastDockerMemory = 6LL << 20U;  // the daemon refuses less

constexpr std::array kRuntimeKeys{
    key<&RuntimeConfig::backend>(
        {"backend", rules::choice(kBackendWords), R"("auto")", Start::written,
         "Where commands run. \"auto\" takes docker if it answers and has the image, otherwise native."}),
    key<&RuntimeConfig::default_timeout>(
        {"default_timeout_secs", rules::seconds(), "60", Start::written,
         "Wall-clock time of a command that names none and whose tool names none. 0: no limit."}),
    key<&RuntimeConfig::max_output>({"max_output_bytes", rules::bytes(0), "1048576", Start::written,
                                     "What is kept of each of stdout and stderr, half from its head and half "
                                     "from its tail. The rest is read and counted."}),
    key<&RuntimeConfig::env_whitelist>({"env_whitelist",
                                        rules::text("a list of variable names", checks::env_name),
                                        R"(["PATH", "HOME", "TERM", "LANG", "USER"])", Start::written,
                                        "Host variables that a command may see. Loader variables such as "
                                        "LD_PRELOAD never come from the host, also when they are listed."}),
    key<&RuntimeConfig::tool_timeouts>(
        {"tool_timeouts", rules::table_of_seconds("a table of tools, each with seconds", checks::name),
         "shell = 120", Start::example,
         "Timeouts of single tools: built-in, custom, skill and MCP tools, by name."}),

    key<&RuntimeConfig::native, &NativeConfig::shell>(
        {"native.shell", rules::path("an absolute path", checks::absolute_path), R"("/bin/bash")",
         Start::set_matters,
         "The shell of shell lines. Unset: /bin/bash, or /bin/sh where there is no bash. Set and missing is "
         "an error."}),
    key<&RuntimeConfig::native, &NativeConfig::pool>(
        {"native.pool", rules::count(0, kMaxPool), "0", Start::written,
         "Slots kept ready for the next command. 0: each is made when it is needed."}),
    key<&RuntimeConfig::native, &NativeConfig::env>(
        {"native.env", rules::table("a table of variables, each with a string", checks::env_name),
         R"(EDITOR = "vi")", Start::example, "Variables that every native command gets."}),

    key<&RuntimeConfig::docker, &DockerConfig::image>({"docker.image", rules::text("an image", checks::image),
                                                       R"("debian:bookworm-slim")", Start::written,
                                                       "The image of commands whose tool names none."}),
    key<&RuntimeConfig::docker, &DockerConfig::socket>(
        {"docker.socket",
         rules::path("an absolute path, or a unix:///, tcp:// or ssh:// address", checks::docker_socket),
         R"("/var/run/docker.sock")", Start::set_matters,
         "The daemon. Unset: DOCKER_HOST, then the current docker context, then this path, then a rootless "
         "daemon's."}),
    key<&RuntimeConfig::docker, &DockerConfig::memory_limit>(
        {"docker.memory_limit", rules::size(kLeastDockerMemory), R"("256m")", Start::set_matters,
         "Memory of a container. Units: b, k, m, g, t, powers of 1024. A limit that is set must be "
         "enforced."}),
    key<&RuntimeConfig::docker, &DockerConfig::cpu_limit>(
        {"docker.cpu_limit", rules::text("a number of CPUs such as \"1.5\", 0.01 to 4096"), R"("1.0")",
         Start::set_matters, "CPUs of a container. A limit that is set must be enforced."}),
    key<&RuntimeConfig::docker, &DockerConfig::pids_limit>(
        {"docker.pids_limit", rules::count(1, 1LL << 22U), "100", Start::set_matters,
         "Processes and threads of a container. A limit that is set must be enforced."}),
    key<&RuntimeConfig::docker, &DockerConfig::network>(
        {"docker.network", rules::choice(kDockerNetworkWords), R"("none")", Start::set_matters,
         "The network of a container. More than security.sandbox.allow_network grants is an error."}),
    key<&RuntimeConfig::docker, &DockerConfig::mount_workspace>(
        {"docker.mount_workspace", rules::boolean(), "true", Start::written,
         "Mount the workspace. false gives the command an empty directory of its own."}),
    key<&RuntimeConfig::docker, &DockerConfig::workspace_mount_path>(
        {"docker.workspace_mount_path", rules::text("an absolute path", checks::path_below_root),
         R"("/workspace")", Start::written, "Where the workspace is in the container."}),
    key<&RuntimeConfig::docker, &DockerConfig::auto_pull>(
        {"docker.auto_pull", rules::boolean(), "true", Start::written,
         "Fetch a missing image. The automatic choice of a backend never does."}),
    key<&RuntimeConfig::docker, &DockerConfig::auto_remove>(
        {"docker.auto_remove", rules::boolean(), "true", Start::written,
         "Remove the container afterwards. false keeps it and names it in the output."}),
    key<&RuntimeConfig::docker, &DockerConfig::pool>({"docker.pool", rules::count(0, kMaxPool), "0",
                                                      Start::written,
                                                      "Containers kept ready for the next command."}),
    key<&RuntimeConfig::docker, &DockerConfig::oci_runtime>(
        {"docker.oci_runtime", rules::text("the name of an OCI runtime"), R"("")", Start::written,
         "For example \"runsc\" or \"kata\". Empty: the daemon's default."}),
    key<&RuntimeConfig::docker, &DockerConfig::tool_images>(
        {"docker.tool_images",
         rules::table("a table of tools, each with an image", checks::name, checks::image),
         R"(shell = "debian:bookworm-slim")", Start::example, "Images of single tools, by name."}),

    key<&RuntimeConfig::wasm, &WasmConfig::engine>({"wasm.engine", rules::choice(kWasmEngineWords),
                                                    R"("wasmtime")", Start::written,
                                                    "The engine that runs modules."}),
    key<&RuntimeConfig::wasm, &WasmConfig::module_path>(
        {"wasm.module_path", rules::path("an absolute path, or one below ~/", checks::absolute_path),
         R"("~/.local/share/openprx/wasm/")", Start::written,
         "Where a command NAME is looked up as NAME.wasm. ~/ is $HOME."}),
    key<&RuntimeConfig::wasm, &WasmConfig::timeout>(
        {"wasm.timeout_secs", rules::seconds(), "30", Start::written,
         "A ceiling on the time of modules, whatever a request asks. 0: none."}),
    key<&RuntimeConfig::wasm, &WasmConfig::max_memory>({"wasm.max_memory_mb", rules::mebibytes(1, 65536),
                                                        "128", Start::written, "Linear memory of a module."}),
    key<&RuntimeConfig::wasm, &WasmConfig::pool>({"wasm.pool", rules::count(0, kMaxPool), "0", Start::written,
                                                  "Instances kept ready for the next command."}),
    key<&RuntimeConfig::wasm, &WasmConfig::filesystem_read>(
        {"wasm.capabilities.filesystem_read",
         rules::path("a list of absolute paths, or ones below ~/", checks::absolute_path), "[]",
         Start::written,
         "Directories a module may read. /workspace means the workspace; other paths are host paths and must "
         "exist. /tmp is refused: there is no private one yet."}),
    key<&RuntimeConfig::wasm, &WasmConfig::filesystem_write>(
        {"wasm.capabilities.filesystem_write",
         rules::path("a list of absolute paths, or ones below ~/", checks::absolute_path), "[]",
         Start::written, "Directories a module may also write."}),
    key<&RuntimeConfig::wasm, &WasmConfig::network>({"wasm.capabilities.network", rules::boolean(), "false",
                                                     Start::set_matters,
                                                     "Network for modules: refused in this build. More than "
                                                     "security.sandbox.allow_network grants is an error."}),
    key<&RuntimeConfig::wasm, &WasmConfig::env_vars>(
        {"wasm.capabilities.env_vars", rules::text("a list of variable names", checks::env_name), "[]",
         Start::written,
         "Variables a module may see, of those that env_whitelist lets through or a table, tool or request "
         "sets."}),
};

}  // namespace

std::span<const Key<RuntimeConfig>> runtime_keys() noexcept {
  return kRuntimeKeys;
}

}  // namespace prx::config
