#include "backends/wasm/worker_program.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "core/init_program.hpp"

namespace prx::backends {

Result<base::Fd> open_worker(WasmEngine engine) {
  const auto name = "prx-wasm-" + std::string(to_string(engine));
  for (const auto& place : core::installed_places(name)) {
    base::Fd fd(::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status{};
    if (fd.is_open() && ::fstat(fd.get(), &status) == 0 && core::is_trusted(status)) return fd;
  }
  return Error{ErrorKind::unavailable,
               "engine",
               std::string(to_string(engine)),
               0,
               "this build has no worker for it (" + name + ")",
               engine == WasmEngine::wasmtime
                   ? "run tools/fetch-wasmtime.sh and build again, or use another backend"
                   : "set runtime.wasm.engine = \"wasmtime\""};
}

std::string describe_worker(WasmEngine engine, const base::Fd& worker) {
  struct stat status{};
  (void)::fstat(worker.get(), &status);
  auto text = std::string(to_string(engine)) + " " PRX_WASMTIME_VERSION;
  for (const auto value : {static_cast<long>(status.st_size), static_cast<long>(status.st_mtim.tv_sec),
                           static_cast<long>(status.st_mtim.tv_nsec)}) {
    text += ' ' + std::to_string(value);
  }
  return text;
}

}  // namespace prx::backends
