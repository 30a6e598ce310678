// Modules beside the program of the engine that runs them: a C program that prints one line.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "bench/bare.hpp"
#include "bench/contenders.hpp"
#include "bench/groups.hpp"

namespace prx::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kWarmTarget = 1.0 / 15;
constexpr double kColdTarget = 1;
constexpr double kWarmNs = 0.3e6;

const std::string kModule{PRX_BENCH_MODULE};
const std::string kWasmtime{PRX_BENCH_PEERS "/bin/wasmtime"};
const std::string kFolder{PRX_BENCH_WORKSPACE "/wasm"};
const std::string kPrecompiled{kFolder + "/hello.cwasm"};
const Argv kCall{"say", "hello", "0"};

Argv joined(Argv first, const Argv& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

/// The runtime's own caches, so that a first compile is one.
void keep_code_in(const std::string& folder) {
  ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  ::setenv("XDG_STATE_HOME", folder.c_str(), 1);
}

std::shared_ptr<RuntimeAdapter> make_wasm_runtime(std::uint32_t pool) {
  Config config;
  config.runtime.backend = BackendChoice::wasm;
  config.runtime.wasm.pool = pool;
  auto runtime = create_runtime(config, HostKind::library);
  if (!runtime) return nullptr;
  return std::move(runtime).value();
}

ExecutionRequest request_of_module() {
  return request_for(joined({kModule}, kCall));
}

Argv prx_command() {
  return joined({PRX_BENCH_PRX, "run", "--set", "runtime.backend=wasm", "--", kModule}, kCall);
}

/// What the workers of all hosts hold, each page shared out among those that have it.
double workers_bytes() {
  double kib = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    std::ifstream command(entry.path() / "cmdline");
    std::string name;
    if (!std::getline(command, name, '\0') || name != "prx-wasm") continue;
    std::ifstream rollup(entry.path() / "smaps_rollup");
    for (std::string line; std::getline(rollup, line);) {
      if (line.starts_with("Pss:")) kib += std::strtod(line.c_str() + 4, nullptr);
    }
  }
  return kib * 1024;
}

Fact parked_slot_bytes() {
  constexpr std::uint32_t kParked = 16;
  const auto before = workers_bytes();
  const auto runtime = make_wasm_runtime(kParked);
  for (std::uint32_t i = 0; i < 2 * kParked; ++i) check(runtime->execute(request_of_module()));
  std::this_thread::sleep_for(std::chrono::seconds(1));  // until all are parked
  return {"memory of a parked slot, with its share of the worker",
          (workers_bytes() - before) / kParked,
          "bytes",
          {}};
}

/// Each with a cache of its own.
Contender first_run() {
  return {"prx run, first ever", [] {
            const auto folder = kFolder + "/first";
            fs::remove_all(folder);
            fs::create_directories(folder);
            keep_code_in(folder);
            const auto time = whole_process("", prx_command()).run();
            keep_code_in(kFolder);
            return time;
          }};
}

}  // namespace

void measure_wasm(const Options& options, Report& report) {
  fs::create_directories(kFolder);
  keep_code_in(kFolder);
  if (!make_wasm_runtime(0)) return report.leave_out("modules", "this build has no engine");
  if (!fs::exists(kModule)) return report.leave_out("modules", "the build has no tests, whose module is run");
  const auto warm = [] {
    return library_execute("prx execute, warm", make_wasm_runtime(8), request_of_module());
  };
  report.add({"wasm",
              "one line from a C program, warm",
              measure_interleaved({warm()}, schedule_of(options, 400)),
              {{"prx execute, warm", Target::Of::value, kWarmNs}},
              {parked_slot_bytes()}});
  const Argv compile{kWasmtime, "compile", kModule, "-o", kPrecompiled};
  if (!fs::exists(kWasmtime) || !succeeds(compile)) {
    return report.leave_out("the wasmtime program", "not installed (tools/install-peers.sh)");
  }
  const auto engine = bare("wasmtime run, precompiled",
                           joined({kWasmtime, "run", "--allow-precompiled", kPrecompiled}, kCall));
  const auto add = [&](std::string work, Contender base, Contender subject, double at_most, double rounds) {
    const auto name = subject.name;
    report.add({"wasm",
                std::move(work),
                measure_interleaved({std::move(base), std::move(subject)}, schedule_of(options, rounds)),
                {{name, Target::Of::ratio, at_most}},
                {}});
  };
  add("one line from a C program, warm", engine, warm(), kWarmTarget, 300);
  add("the same, a process each, compiled before", engine, whole_process("prx run, cold", prx_command()),
      kColdTarget, 200);
  add("the same, never compiled before", bare("wasmtime compile", compile), first_run(), 1, 20);
}

}  // namespace prx::bench
