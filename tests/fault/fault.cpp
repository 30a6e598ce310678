#include "fault/fault.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/host_processes.hpp"

#if defined(__SANITIZE_THREAD__)
/// A forked child of a host with threads starts some of its own here, which the thread sanitizer otherwise
/// ends.
extern "C" const char* __tsan_default_options() {  // NOLINT(bugprone-reserved-identifier): its name for it
  return "die_after_fork=0";
}
#endif

namespace prx::test {
namespace {
constexpr std::chrono::milliseconds kOneSecond{1000};
}

InDirectory::InDirectory(const std::string& directory) : before_(std::filesystem::current_path()) {
  std::filesystem::current_path(directory);
}

InDirectory::~InDirectory() {
  std::filesystem::current_path(before_);
}

void Fault::SetUp() {
  LeakChecked::SetUp();
  adopt_orphans();
  const char* given = std::getenv("PRX_TEST_SEED");
  const auto seed = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device()();
  std::cout << "PRX_TEST_SEED=" << seed << '\n';
  random_.seed(seed);
}

void Fault::TearDown() {
  EXPECT_TRUE(nothing_left()) << children_of_this_process().front().describe();
  LeakChecked::TearDown();
}

std::unique_ptr<RuntimeAdapter> Fault::make_runtime(HostKind host) const {
  Config config;
  config.security.sandbox.backend = SandboxChoice::none;
  config.runtime.backend = BackendChoice::native;
  if (host == HostKind::one_shot) {
    // Limits that need a group need a spawner, too, and this host is to be its own.
    config.security.resources.max_memory = Bytes{0};
    config.security.resources.max_subprocesses = 0;
  }
  return create_runtime(config, host).value();
}

ExecutionRequest Fault::shell(std::string line) const {
  ExecutionRequest request;
  request.command = ShellLine{std::move(line)};
  request.env = {{"PRX_TEST_MARK", marker()}};
  request.timeout = std::chrono::seconds(30);
  return request;
}

ExecutionRequest Fault::program(std::string file, std::vector<std::string> args) const {
  auto request = shell({});
  request.command = Program{std::move(file), std::move(args)};
  return request;
}

ExecutionRequest Fault::noop(int code) const {
  return program(probe_path("noop"), {std::to_string(code)});
}

bool Fault::nothing_left() {
  return eventually(kOneSecond, no_children_left);
}

pid_t Fault::spawner() {
  for (const auto& process : children_of_this_process()) {
    if (process.name == "prx-init" && process.state != 'Z' && getsid(process.pid) == process.pid)
      return process.pid;
  }
  return 0;
}

std::vector<pid_t> Fault::inits() {
  std::vector<pid_t> found;
  const auto parent = spawner();
  for (const auto& process : all_processes()) {
    if (parent != 0 && process.parent == parent && process.name == "prx-init") found.push_back(process.pid);
  }
  return found;
}

std::string fault_host_path() {
  return probe_path("fault_host");
}

int in_child(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    body();
    std::fflush(nullptr);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  // Orphans that come to this process are reaped meanwhile: zombies count against the limit of their user.
  for (pid_t ended = 0; ended != child;) {
    ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) throw std::runtime_error("the child was reaped by another");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int times(int in_a_plain_build) {
  // NOLINTNEXTLINE(readability-redundant-string-init): empty in a plain build
  constexpr std::string_view kSanitize = PRX_SANITIZE;
  constexpr int kSlower = 10;
  return kSanitize.empty() ? in_a_plain_build : in_a_plain_build / kSlower;
}

}  // namespace prx::test
