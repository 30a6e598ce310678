#include "contract/contract.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/host_processes.hpp"

namespace prx::test {
namespace {

bool has_child(pid_t parent) {
  const auto processes = all_processes();
  return std::any_of(processes.begin(), processes.end(), [parent](const ProcessInfo& process) {
    return process.parent == parent && process.name != "prx-init";
  });
}

}  // namespace

void RuntimeChecked::SetUp() {
  LeakChecked::SetUp();

  config_.runtime.backend = BackendChoice::native;
}

void RuntimeChecked::TearDown() {
  destroy_runtime();
  // prx-init has no environment, so the marker does not find it; what it knows its host by does.
  EXPECT_TRUE(eventually(kGrace, [] { return inits_of_this_process().empty(); }))
      << "a prx-init outlived its runtime: " << inits_of_this_process().front().describe();
  LeakChecked::TearDown();
  // A one-shot host makes itself one for good; the next test is another host.
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

void RuntimeChecked::kill_the_inits() {
  for (const auto& init : inits_of_this_process()) {
    if (has_child(init.pid)) kill(init.pid, SIGKILL);
  }
}

std::jthread RuntimeChecked::kill_the_init(std::chrono::milliseconds later) const {
  return std::jthread([mark = marker(), later] {
    (void)eventually(kGrace, [&] {
      for (const auto& process : processes_with(mark)) {
        if (process.name != "sleep") continue;
        std::this_thread::sleep_for(later);
        kill_the_inits();
        return true;
      }
      return false;
    });
  });
}

RuntimeAdapter& RuntimeChecked::runtime() {
  if (runtime_) return *runtime_;
  auto made = backend().make(config_);
  if (!made) {
    ADD_FAILURE() << "no runtime: " << made.error();
    std::abort();
  }
  runtime_ = std::move(made).value();
  return *runtime_;
}

ExecutionRequest RuntimeChecked::shell(std::string line) const {
  ExecutionRequest request;
  request.command = ShellLine{std::move(line)};
  request.env = {{"PRX_TEST_MARK", marker()}};
  request.timeout = kLong;
  return request;
}

ExecutionRequest RuntimeChecked::program(std::string file, std::vector<std::string> args) const {
  auto request = shell({});
  request.command = Program{std::move(file), std::move(args)};
  return request;
}

ExecutionRequest RuntimeChecked::probe(const std::string& name, std::vector<std::string> args) const {
  return program(probe_path(name), std::move(args));
}

ExecutionRequest RuntimeChecked::portable(std::vector<std::string> args) const {
  return program(backend().portable, std::move(args));
}

Execution RuntimeChecked::start(ExecutionRequest request, ExecutionEvents events) {
  auto started = runtime().start(std::move(request), std::move(events));
  if (!started) {
    ADD_FAILURE() << "not started: " << started.error();
    std::abort();
  }
  return std::move(started).value();
}

Result<ExecutionOutput> ExecutionContract::run(ExecutionRequest request) {
  if (GetParam().call == Call::execute) return runtime().execute(std::move(request));
  return runtime().start(std::move(request), {}).and_then([](Execution execution) {
    return execution.wait();
  });
}

ExecutionOutput must_end(Result<ExecutionOutput> result) {
  if (result) return std::move(result).value();
  ADD_FAILURE() << "not run: " << result.error();
  return {};
}

Error must_fail(Result<ExecutionOutput> result) {
  if (!result) return std::move(result).error();
  ADD_FAILURE() << "it ran: " << to_string(result->ending) << ' ' << result->exit_code
                << ", out: " << result->out.bytes;
  return {};
}

void must(const Result<void>& result) {
  if (!result) ADD_FAILURE() << result.error();
}

bool is_timed_out(const ExecutionOutput& output) {
  return std::holds_alternative<TimedOut>(output.ending);
}
bool is_cancelled(const ExecutionOutput& output) {
  return std::holds_alternative<Cancelled>(output.ending);
}

}  // namespace prx::test
