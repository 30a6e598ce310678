// fault_host: a small process that uses libprx, for tests that kill it, make its calls fail or run it as
// another.
//
//   fault_host [OPTION…] run PROGRAM [ARG…]   runs it, prints how it ended, and exits 0, or 1 for an Error
//   fault_host [OPTION…] hold LINE            starts a shell line, prints "started", and stays
//
// Options: one_shot; start: start() and wait() in place of execute(); sandboxed: by namespaces, with the
// current directory as workspace. PRX_TEST_MARK is passed on.
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <prx/prx.hpp>

namespace {

// What a tracer looks for: calls that do nothing.
constexpr int kBegin = 0x70727801;
constexpr int kEnd = 0x70727802;

struct Options {
  prx::HostKind host = prx::HostKind::library;
  bool start = false;
  prx::SandboxChoice sandbox = prx::SandboxChoice::none;
};

bool take_option(const std::string& word, Options& options) {
  if (word == "start") return options.start = true;
  if (word == "one_shot") {
    options.host = prx::HostKind::one_shot;
    return true;
  }
  if (word == "sandboxed") {
    options.sandbox = prx::SandboxChoice::namespaces;
    return true;
  }
  return false;
}

prx::ExecutionRequest make_request(prx::Command command) {
  prx::ExecutionRequest request;
  request.command = std::move(command);
  if (const char* mark = std::getenv("PRX_TEST_MARK")) request.env.push_back({"PRX_TEST_MARK", mark});
  request.timeout = std::chrono::seconds(3);
  return request;
}

prx::Result<std::unique_ptr<prx::RuntimeAdapter>> make_runtime(const Options& options) {
  prx::Config config;
  config.security.sandbox.backend = options.sandbox;
  config.runtime.backend = prx::BackendChoice::native;
  if (options.host == prx::HostKind::one_shot && options.sandbox == prx::SandboxChoice::none) {
    // Limits that need a group need a spawner, too, and this host is to be its own.
    config.security.resources.max_memory = prx::Bytes{0};
    config.security.resources.max_subprocesses = 0;
  }
  return prx::create_runtime(config, options.host);
}

int report(const prx::Result<prx::ExecutionOutput>& result) {
  if (result) {
    std::printf("%s %d\n%s", std::string(to_string(result->ending)).c_str(), result->exit_code,
                result->out.bytes.c_str());
    return 0;
  }
  const auto& error = result.error();
  std::printf("error %s %s %d\n%s\n%s\n", std::string(to_string(error.kind)).c_str(), error.step.c_str(),
              error.os_errno, error.message().c_str(), error.hint.c_str());
  return 1;
}

prx::Result<prx::ExecutionOutput> run(const Options& options, prx::ExecutionRequest request) {
  auto runtime = make_runtime(options);
  if (!runtime) return std::move(runtime).error();
  if (!options.start) return (*runtime)->execute(std::move(request));
  return (*runtime)->start(std::move(request), {}).and_then([](prx::Execution execution) {
    return execution.wait();
  });
}

int hold(const Options& options, std::string line) {
  auto runtime = make_runtime(options);
  if (!runtime) return 2;
  auto request = make_request(prx::ShellLine{std::move(line)});
  request.timeout = std::chrono::seconds(0);
  const auto execution = (*runtime)->start(std::move(request), {});
  if (!execution) return 2;
  std::puts("started");
  std::fflush(stdout);
  for (;;) pause();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  Options options;
  for (; !args.empty() && take_option(args[0], options); args.erase(args.begin())) {
  }
  if (args.size() < 2) return 2;
  if (args[0] == "hold") return hold(options, args[1]);
  auto request = make_request(prx::Program{args[1], {args.begin() + 2, args.end()}});
  prctl(kBegin);
  const auto result = run(options, std::move(request));
  prctl(kEnd);
  return report(result);
}
