// Handles, runtimes and threads.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "contract/contract.hpp"
#include "contract/events.hpp"
#include "support/eventually.hpp"
#include "support/proc_table.hpp"

namespace prx::test {
namespace {

class LifetimeContract : public HandleContract {};
PRX_HANDLE_CONTRACT(LifetimeContract);

TEST_P(LifetimeContract, ADroppedHandleCancels) {
  OutputLog log;
  {
    const auto execution = start(shell("echo ready; sleep 300 | cat"), log.events());
    ASSERT_TRUE(log.wait_for("ready"));
  }
  EXPECT_TRUE(log.wait_for_end());
  EXPECT_EQ(log.endings(), 1);
  EXPECT_TRUE(eventually(kAtOnce, [&] { return processes_with(marker()).empty(); }));
}

TEST_P(LifetimeContract, ADestroyedRuntimeEndsWhatRuns) {
  OutputLog log;
  auto execution = start(shell("echo ready; sleep 300 & sleep 300"), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  destroy_runtime();
  EXPECT_EQ(log.endings(), 1);
  EXPECT_TRUE(processes_with(marker()).empty());
  // The handle may outlive its runtime.
  EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
  execution.cancel();
  EXPECT_EQ(execution.signal(SIGTERM).error().kind, ErrorKind::disconnected);
}

TEST_P(LifetimeContract, AHandleMayBeUsedFromACallback) {
  OutputLog log;
  std::atomic<Execution*> handle = nullptr;
  auto events = log.events();
  const auto record = events.output;
  events.output = [&](const OutputChunk& chunk) {
    record(chunk);
    if (auto* execution = handle.load()) {
      (void)execution->write_stdin(std::string_view("again\n"));
      execution->pause_output();
      execution->resume_output();
      execution->cancel();
    }
  };
  auto request = shell("while read -r line; do echo $line; done");
  request.input = StdinStream{};
  auto execution = start(request, std::move(events));
  handle = &execution;
  must(execution.write_stdin(std::string_view("go\n")));
  EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
}

TEST_P(LifetimeContract, AHostsOwnChildIsItsOwn) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  auto execution = start(shell("sleep 300 & exit 0"));
  EXPECT_EQ(must_end(execution.wait()).leftovers.killed, 1U);
  EXPECT_TRUE(is_running(child));
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST_P(LifetimeContract, ARuntimeThatRanNothingIsDestroyedToo) {
  EXPECT_TRUE(runtime().is_available().available);
  EXPECT_EQ(runtime().name(), backend().backend);
}

class ManyContract : public HandleContract {};
PRX_CONCURRENT_CONTRACT(ManyContract);

TEST_P(ManyContract, EndingOneLeavesTheOthers) {
  OutputLog log;
  auto victim = start(shell("sleep 300"));
  {
    const auto killer = kill_the_init();
  }
  auto bystander = start(shell("(sleep 1; echo child) & wait; exit 7"), log.events());
  EXPECT_EQ(must_fail(victim.wait()).kind, ErrorKind::disconnected);
  const auto output = must_end(bystander.wait());
  EXPECT_EQ(output.exit_code, 7);
  EXPECT_EQ(output.out.bytes, "child\n");
}

TEST_P(ManyContract, ADestroyedRuntimeEndsThemAll) {
  std::vector<Execution> running;
  for (int i = 0; i < 32; ++i) running.push_back(start(shell("sleep 300 | cat")));
  destroy_runtime();
  EXPECT_TRUE(processes_with(marker()).empty());
  for (auto& execution : running) EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
}

}  // namespace
}  // namespace prx::test
