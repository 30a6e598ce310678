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

Config native_config() {
  Config config;
  config.runtime.backend = BackendChoice::native;
  config.runtime.native.shell = "/bin/sh";
  config.runtime.env_whitelist = {"PATH", "LANG"};
  return config;
}

std::shared_ptr<RuntimeAdapter> make_runtime(const Config& config, HostKind host) {
  auto runtime = create_runtime(config, host);
  if (!runtime) give_up(runtime.error().message().c_str(), runtime.error().os_errno);
  return std::move(runtime).value();
}

void run_bare_at_once(const Argv& argv, std::size_t count) {
  std::vector<BareChild> children;
  children.reserve(count);
  for (std::size_t i = 0; i < count; ++i) children.push_back(spawn_bare(argv));
  for (auto& child : children) finish_bare(std::move(child));
}

void run_library_at_once(RuntimeAdapter& runtime, const ExecutionRequest& request, std::size_t count) {
  std::vector<Execution> executions;
  executions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto execution = runtime.start(request, {});
    if (!execution) give_up(execution.error().message().c_str(), execution.error().os_errno);
    executions.push_back(std::move(execution).value());
  }
  for (auto& execution : executions) check(execution.wait());
}

/// Arguments of the benchmark hold nothing that JSON would escape.
std::string json_line(const Argv& argv) {
  std::string line = "[";
  for (const auto& argument : argv) line += (line.size() > 1 ? ", \"" : "\"") + argument + "\"";
  return line + "]\n";
}

}  // namespace

std::shared_ptr<RuntimeAdapter> make_library_runtime(std::uint32_t pool) {
  auto config = native_config();
  config.runtime.native.pool = pool;
  config.security.sandbox.backend = SandboxChoice::none;
  config.security.resources = {.max_memory = Bytes{0},
                               .max_cpu_time = std::chrono::seconds(0),
                               .max_subprocesses = 0,
                               .max_open_files = 0,
                               .max_file_size = Bytes{0}};
  return make_runtime(config, HostKind::library);
}

std::shared_ptr<RuntimeAdapter> make_sandboxed_runtime(SandboxChoice kind, HostKind host,
                                                       const std::string& workspace) {
  auto config = native_config();
  config.security.sandbox.backend = kind;
  config.workspace = workspace;
  return make_runtime(config, host);
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

Contender bare_at_once(std::string name, Argv argv, std::size_t count) {
  return {std::move(name),
          [argv = std::move(argv), count] { return time_of([&] { run_bare_at_once(argv, count); }); }};
}

Contender library_at_once(std::string name, std::shared_ptr<RuntimeAdapter> runtime, ExecutionRequest request,
                          std::size_t count) {
  return {std::move(name), [runtime = std::move(runtime), request = std::move(request), count] {
            return time_of([&] { run_library_at_once(*runtime, request, count); });
          }};
}

Contender whole_process(std::string name, Argv argv) {
  return {std::move(name), [argv = std::move(argv)] { return time_of([&] { run_whole_process(argv); }); }};
}

}  // namespace prx::bench
