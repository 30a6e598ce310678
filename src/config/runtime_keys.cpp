#include <array>

#include "config/define_key.hpp"
#include "config/enums.hpp"
#include "config/schema.hpp"
#include "config/text_checks.hpp"

namespace prx::config {

namespace {

template <class Access>
constexpr Key<RuntimeConfig> key(const KeyInfo& info, Access access) {
  return define_key<RuntimeConfig>(info, access);
}

constexpr std::int64_t kMaxPool = 1024;
constexpr std::int64_t kLeastDockerMemory = 6LL << 20U;  // the daemon refuses less

constexpr std::array kRuntimeKeys{
    key({"backend", rules::choice(kBackendWords), R"("auto")", Start::written,
         "Where commands run. \"auto\" takes docker if it answers and has the image, otherwise native."},
        [](auto& c) -> auto& { return c.backend; }),
    key({"default_timeout_secs", rules::seconds(), "60", Start::written,
         "Wall-clock time of a command that names none and whose tool names none. 0: no limit."},
        [](auto& c) -> auto& { return c.default_timeout; }),
    key({"max_output_bytes", rules::bytes(0), "1048576", Start::written,
         "What is kept of each of stdout and stderr, half from its head and half from its tail. The rest is "
         "read and counted."},
        [](auto& c) -> auto& { return c.max_output; }),
    key({"env_whitelist", rules::text("a list of variable names", checks::env_name),
         R"(["PATH", "HOME", "TERM", "LANG", "USER"])", Start::written,
         "Host variables that a command may see. Loader variables such as LD_PRELOAD never come from the "
         "host, "
         "also when they are listed."},
        [](auto& c) -> auto& { return c.env_whitelist; }),
    key({"tool_timeouts", rules::table_of_seconds("tools, each with seconds", checks::name), "shell = 120",
         Start::example, "Timeouts of single tools: built-in, custom, skill and MCP tools, by name."},
        [](auto& c) -> auto& { return c.tool_timeouts; }),

    key({"native.shell", rules::path("an absolute path", checks::absolute_path), R"("/bin/bash")",
         Start::set_matters,
         "The shell of shell lines. Unset: /bin/bash, or /bin/sh where there is no bash. Set and missing is "
         "an "
         "error."},
        [](auto& c) -> auto& { return c.native.shell; }),
    key({"native.pool", rules::count(0, kMaxPool), "0", Start::written,
         "Slots kept ready for the next command. 0: each is made when it is needed."},
        [](auto& c) -> auto& { return c.native.pool; }),
    key({"native.env", rules::table("variables, each with a string", checks::env_name), R"(EDITOR = "vi")",
         Start::example, "Variables that every native command gets."},
        [](auto& c) -> auto& { return c.native.env; }),

    key({"docker.image", rules::text("an image", checks::image), R"("debian:bookworm-slim")", Start::written,
         "The image of commands whose tool names none."},
        [](auto& c) -> auto& { return c.docker.image; }),
    key({"docker.socket",
         rules::path("an absolute path, or a unix:///, tcp:// or ssh:// address", checks::docker_socket),
         R"("/var/run/docker.sock")", Start::set_matters,
         "The daemon. Unset: DOCKER_HOST, then the current docker context, then this path, then a rootless "
         "daemon's."},
        [](auto& c) -> auto& { return c.docker.socket; }),
    key({"docker.memory_limit", rules::size(kLeastDockerMemory), R"("256m")", Start::set_matters,
         "Memory of a container. Units: b, k, m, g, t, powers of 1024. A limit that is set must be "
         "enforced."},
        [](auto& c) -> auto& { return c.docker.memory_limit; }),
    key({"docker.cpu_limit", rules::text("a number of CPUs such as \"1.5\""), R"("1.0")", Start::set_matters,
         "CPUs of a container, from 0.01."},
        [](auto& c) -> auto& { return c.docker.cpu_limit; }),
    key({"docker.pids_limit", rules::count(1, 1LL << 22U), "100", Start::set_matters,
         "Processes and threads of a container."},
        [](auto& c) -> auto& { return c.docker.pids_limit; }),
    key({"docker.network", rules::choice(kDockerNetworkWords), R"("none")", Start::set_matters,
         "The network of a container. More than security.sandbox.allow_network grants is an error."},
        [](auto& c) -> auto& { return c.docker.network; }),
    key({"docker.mount_workspace", rules::boolean(), "true", Start::written,
         "Mount the workspace. false gives the command an empty directory of its own."},
        [](auto& c) -> auto& { return c.docker.mount_workspace; }),
    key({"docker.workspace_mount_path", rules::text("an absolute path", checks::path_below_root),
         R"("/workspace")", Start::written, "Where the workspace is in the container."},
        [](auto& c) -> auto& { return c.docker.workspace_mount_path; }),
    key({"docker.auto_pull", rules::boolean(), "true", Start::written,
         "Fetch a missing image. The automatic choice of a backend never does."},
        [](auto& c) -> auto& { return c.docker.auto_pull; }),
    key({"docker.auto_remove", rules::boolean(), "true", Start::written,
         "Remove the container afterwards. false keeps it and names it in the output."},
        [](auto& c) -> auto& { return c.docker.auto_remove; }),
    key({"docker.pool", rules::count(0, kMaxPool), "0", Start::written,
         "Containers kept ready for the next command."},
        [](auto& c) -> auto& { return c.docker.pool; }),
    key({"docker.oci_runtime", rules::text("the name of an OCI runtime"), R"("")", Start::written,
         "For example \"runsc\" or \"kata\". Empty: the daemon's default."},
        [](auto& c) -> auto& { return c.docker.oci_runtime; }),
    key({"docker.tool_images", rules::table("tools, each with an image", checks::name, checks::image),
         R"(shell = "debian:bookworm-slim")", Start::example, "Images of single tools, by name."},
        [](auto& c) -> auto& { return c.docker.tool_images; }),

    key({"wasm.engine", rules::choice(kWasmEngineWords), R"("wasmtime")", Start::written,
         "The engine that runs modules."},
        [](auto& c) -> auto& { return c.wasm.engine; }),
    key({"wasm.module_path", rules::path("an absolute path, or one below ~/", checks::absolute_path),
         R"("~/.local/share/openprx/wasm/")", Start::written,
         "Where a command NAME is looked up as NAME.wasm. ~/ is $HOME."},
        [](auto& c) -> auto& { return c.wasm.module_path; }),
    key({"wasm.timeout_secs", rules::seconds(), "30", Start::written,
         "A ceiling on the time of modules, whatever a request asks. 0: none."},
        [](auto& c) -> auto& { return c.wasm.timeout; }),
    key({"wasm.max_memory_mb", rules::mebibytes(1, 65536), "128", Start::written,
         "Linear memory of a module."},
        [](auto& c) -> auto& { return c.wasm.max_memory; }),
    key({"wasm.pool", rules::count(0, kMaxPool), "0", Start::written,
         "Instances kept ready for the next command."},
        [](auto& c) -> auto& { return c.wasm.pool; }),
    key({"wasm.capabilities.filesystem_read",
         rules::path("a list of absolute paths, or ones below ~/", checks::absolute_path), "[]",
         Start::written,
         "Directories a module may read. /workspace means the workspace, /tmp a private directory; other "
         "paths "
         "are host paths and must exist when a module runs."},
        [](auto& c) -> auto& { return c.wasm.filesystem_read; }),
    key({"wasm.capabilities.filesystem_write",
         rules::path("a list of absolute paths, or ones below ~/", checks::absolute_path), "[]",
         Start::written, "Directories a module may also write."},
        [](auto& c) -> auto& { return c.wasm.filesystem_write; }),
    key({"wasm.capabilities.network", rules::boolean(), "false", Start::set_matters,
         "Network for modules. More than security.sandbox.allow_network grants is an error."},
        [](auto& c) -> auto& { return c.wasm.network; }),
    key({"wasm.capabilities.env_vars", rules::text("a list of variable names", checks::env_name), "[]",
         Start::written,
         "Variables a module may see, of those that env_whitelist lets through or a table, tool or request "
         "sets."},
        [](auto& c) -> auto& { return c.wasm.env_vars; }),
};

}  // namespace

std::span<const Key<RuntimeConfig>> runtime_keys() noexcept {
  return kRuntimeKeys;
}

}  // namespace prx::config
