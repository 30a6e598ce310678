// Modules for days: nothing grows, and what changes below a runtime is seen.
#include <filesystem>
#include <sstream>
#include <thread>

#include <unistd.h>

#include "support/eventually.hpp"
#include "support/host_processes.hpp"
#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

class WasmMany : public WasmTest {};

std::uint64_t status_of(pid_t pid, const std::string& name) {
  std::istringstream lines(read_file("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
  }
  return 0;
}

struct Holdings {
  std::uint64_t kib = 0;
  std::uint64_t threads = 0;
  std::uint64_t descriptors = 0;
  std::size_t processes = 0;
};

/// Of this process and the prx-inits below it, once those are a spawner and a parked slot; they show
/// themselves to root only.
Holdings holdings() {
  Holdings all;
  (void)eventually(std::chrono::seconds(10), [] { return inits_of_this_process().size() == 2; });
  std::vector<pid_t> pids{getpid()};
  for (const auto& init : inits_of_this_process()) pids.push_back(init.pid);
  for (const auto pid : pids) {
    std::error_code error;
    all.kib += status_of(pid, "VmRSS");
    all.threads += status_of(pid, "Threads");
    const fs::directory_iterator open("/proc/" + std::to_string(pid) + "/fd", error);
    all.descriptors += static_cast<std::uint64_t>(std::distance(open, {}));
  }
  all.processes = pids.size();
  return all;
}

TEST_F(WasmMany, TenThousandInARowLeaveNothing) {
  const auto run_many = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const auto code = i % 256;
      ASSERT_EQ(run_guest({"exit", std::to_string(code)}).exit_code, code);
    }
  };
  run_many(200);
  const auto before = holdings();
  run_many(10'000);
  const auto after = holdings();
  EXPECT_LE(after.kib, before.kib + 4096);
  EXPECT_LE(after.threads, before.threads);
  EXPECT_LE(after.descriptors, before.descriptors);
  EXPECT_LE(after.processes, before.processes);
}

TEST_F(WasmMany, SeveralModulesSideBySide) {
  const auto text = [](int code) {
    return "(module (import \"wasi_snapshot_preview1\" \"proc_exit\" (func $exit (param i32)))"
           " (func (export \"_start\") (call $exit (i32.const " +
           std::to_string(code) + "))))";
  };
  constexpr int kModules = 40;  // more than are kept ready
  std::vector<std::string> paths;
  for (int i = 0; i < kModules; ++i) {
    paths.push_back(workspace_.write("m" + std::to_string(i) + ".wat", text(i)));
  }
  const auto bad = workspace_.write("bad.wat", "(module");
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread, &adapter = runtime()] {
      for (int i = thread; i < kModules; ++i) {
        ExecutionRequest request;
        request.command = Program{bad};
        EXPECT_FALSE(adapter.execute(request)) << "one that fails harms no other";
        request.command = Program{paths[static_cast<std::size_t>(i)]};
        const auto result = adapter.execute(request);
        ASSERT_TRUE(result) << result.error().message();
        EXPECT_EQ(result->exit_code, i);
      }
    });
  }
}

TEST_F(WasmMany, AModuleThatGoesIsNotFoundAndMayComeBack) {
  const auto path = workspace_ / "comes.wasm";
  ExecutionRequest request;
  request.command = Program{path, {"exit", "3"}};
  fs::copy_file(PRX_TEST_MODULES "/guest.wasm", path);
  EXPECT_EQ(run(request).exit_code, 3);
  fs::remove(path);
  EXPECT_EQ(must_fail(request).kind, ErrorKind::not_found);
  fs::copy_file(PRX_TEST_MODULES "/guest.wasm", path);
  EXPECT_EQ(run(request).exit_code, 3);
}

TEST_F(WasmMany, AModuleIsTakenUpToItsLargestSize) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{128} << 20U;
  const auto path = workspace_.write("large.wasm", "");
  ExecutionRequest request;
  request.command = Program{path};
  for (const auto size : {kLargest + 1, std::uintmax_t{200} << 20U}) {
    fs::resize_file(path, size);
    const auto error = must_fail(request);
    EXPECT_EQ(error.kind, ErrorKind::not_executable);
    EXPECT_NE(error.detail.find("128 MiB"), std::string::npos);
    EXPECT_FALSE(error.hint.empty());
  }
  // One custom section of zeros fills it to the last byte.
  const auto body = kLargest - 8 - 6;
  std::string module("\0asm\1\0\0\0", 8);
  module += '\0';
  for (int part = 0; part < 5; ++part) {
    module += static_cast<char>(((body >> (7 * part)) & 0x7fU) | (part < 4 ? 0x80U : 0U));
  }
  workspace_.write("large.wasm", module);
  fs::resize_file(path, kLargest);
  EXPECT_NE(must_fail(request).detail.find("_start"), std::string::npos) << "it was looked at";
}

}  // namespace
}  // namespace prx::test
