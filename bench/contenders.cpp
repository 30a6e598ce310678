#include "bench/contenders.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/bare.hpp"
#include "bench/host.hpp"

namespace prx::bench {
namespace {

/// An interpreter at the other end of two pipes; it ends when they close.
class PythonHost {
 public:
  PythonHost() {
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) give_up("pipe2", errno);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    std::array<char*, 3> argv{const_cast<char*>("python3"), const_cast<char*>(PRX_BENCH_PYTHON_SCRIPT),
                              nullptr};
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) give_up("python3", error);
    ::close(to[0]);
    ::close(from[1]);
    to_ = ::fdopen(to[1], "w");
    from_ = ::fdopen(from[0], "r");
  }
  ~PythonHost() {
    std::fclose(to_);
    std::fclose(from_);
  }
  PythonHost(const PythonHost&) = delete;
  PythonHost& operator=(const PythonHost&) = delete;

  double run(const std::string& json_argv) {
    std::fputs(json_argv.c_str(), to_);
    std::fflush(to_);
    std::array<char, 64> answer{};
    if (std::fgets(answer.data(), answer.size(), from_) == nullptr) give_up("python3 ended", 0);
    return std::strtod(answer.data(), nullptr);
  }

 private:
  std::FILE* to_;
  std::FILE* from_;
};

/// Arguments of the benchmark hold nothing that JSON would escape.
std::string json_line(const Argv& argv) {
  std::string line = "[";
  for (const auto& argument : argv) line += (line.size() > 1 ? ", \"" : "\"") + argument + "\"";
  return line + "]\n";
}

}  // namespace

std::shared_ptr<RuntimeAdapter> make_library_runtime(std::uint32_t pool) {
  Config config;
  config.runtime.backend = BackendChoice::native;
  config.runtime.native.shell = "/bin/sh";
  config.runtime.native.pool = pool;
  config.runtime.env_whitelist = {"PATH", "LANG"};
  config.security.sandbox.backend = SandboxChoice::none;
  auto runtime = create_runtime(config, HostKind::library);
  if (!runtime) give_up(runtime.error().message().c_str(), runtime.error().os_errno);
  return std::move(runtime).value();
}

void check(const Result<ExecutionOutput>& output) {
  if (!output) give_up(output.error().message().c_str(), output.error().os_errno);
  if (output->exit_code != 0) give_up("the program failed", 0);
}

ExecutionRequest request_for(const Argv& argv) {
  ExecutionRequest request;
  request.command = Program{argv.front(), Argv(argv.begin() + 1, argv.end())};
  return request;
}

Contender bare(std::string name, Argv argv) {
  return {std::move(name), [argv = std::move(argv)] { return time_of([&] { run_bare(argv); }); }};
}

Contender library_execute(std::string name, std::shared_ptr<RuntimeAdapter> runtime,
                          ExecutionRequest request) {
  return {std::move(name), [runtime = std::move(runtime), request = std::move(request)] {
            return time_of([&] { check(runtime->execute(request)); });
          }};
}

Contender library_start(std::string name, std::shared_ptr<RuntimeAdapter> runtime, ExecutionRequest request) {
  return {std::move(name), [runtime = std::move(runtime), request = std::move(request)] {
            return time_of([&] {
              auto execution = runtime->start(request, {});
              if (!execution) give_up(execution.error().message().c_str(), execution.error().os_errno);
              check(execution->wait());
            });
          }};
}

Contender python_subprocess(std::string name, Argv argv) {
  auto host = std::make_shared<PythonHost>();
  return {std::move(name), [host = std::move(host), line = json_line(argv)] { return host->run(line); }};
}

Contender whole_process(std::string name, Argv argv) {
  return {std::move(name), [argv = std::move(argv)] { return time_of([&] { run_whole_process(argv); }); }};
}

}  // namespace prx::bench
