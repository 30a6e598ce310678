// Nothing of a command outlives it, whatever it does. That nothing is left is seen by LeakChecked, which
// looks for the marker everywhere; each test here also says what the output tells of it.
#include <csignal>

#include "contract/contract.hpp"
#include "contract/events.hpp"
#include "support/artefacts.hpp"
#include "support/proc_table.hpp"

namespace prx::test {
namespace {

using std::chrono::milliseconds;

class LeftoversContract : public ExecutionContract {
 protected:
  ExecutionOutput run_with_timeout(ExecutionRequest request, milliseconds timeout) {
    request.timeout = timeout;
    auto output = must_end(run(std::move(request)));
    EXPECT_TRUE(processes_with(marker()).empty()) << "there when the result was";
    return output;
  }
};
PRX_CONTRACT(LeftoversContract);

TEST_P(LeftoversContract, ABackgroundJobIsEndedAndSaid) {
  const auto output = run_with_timeout(shell("sleep 30 & exit 0"), kLong);
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.leftovers.killed, 1U);
  EXPECT_EQ(output.leftovers.alive, 0U);
  EXPECT_LT(output.duration, kAtOnce);
}

TEST_P(LeftoversContract, AHeldPipeIsNotWaitedFor) {
  const auto output = run_with_timeout(probe("hold_pipe"), kLong);
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_FALSE(output.out.bytes.empty());
  EXPECT_EQ(output.leftovers.killed, 1U);
  EXPECT_LT(output.duration, kAtOnce);
}

TEST_P(LeftoversContract, ADaemonAndASessionOfItsOwnAreFound) {
  for (const auto& request : {probe("daemon"), probe("setsid_child", {"exit"})}) {
    const auto output = run_with_timeout(request, kLong);
    EXPECT_EQ(output.exit_code, 0);
    EXPECT_EQ(output.leftovers.killed, 1U);
  }
}

TEST_P(LeftoversContract, ASessionOfItsOwnEndsAtTheDeadline) {
  EXPECT_TRUE(is_timed_out(run_with_timeout(probe("setsid_child"), milliseconds(300))));
}

TEST_P(LeftoversContract, WhatIgnoresTermInTheBackgroundIsKilled) {
  const auto output = run_with_timeout(
      shell(probe_path("ignore_term") + " & setsid " + probe_path("ignore_term") + " & sleep 0.2; exit 3"),
      kLong);
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_EQ(output.leftovers.killed, 2U);
}

TEST_P(LeftoversContract, AChainThatKeepsRespawningIsEnded) {
  const auto output = run_with_timeout(probe("chain", {"4"}), milliseconds(300));
  EXPECT_TRUE(is_timed_out(output));
  EXPECT_EQ(output.leftovers.alive, 0U);
}

TEST_P(LeftoversContract, AChainLeftBehindIsEnded) {
  const auto output = run_with_timeout(shell(probe_path("chain") + " 4 & sleep 0.1; exit 2"), kLong);
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_GE(output.leftovers.killed, 1U);
  EXPECT_EQ(output.leftovers.alive, 0U);
}

TEST_P(LeftoversContract, ManyLeftoversAreEnded) {
  const auto output = run_with_timeout(shell("for i in $(seq 100); do sleep 300 & done; exit 0"), kLong);
  EXPECT_EQ(output.leftovers.killed, 100U);
  EXPECT_LT(output.duration, kAtOnce + kAtOnce);
}

TEST_P(LeftoversContract, StoppingTheInitHelpsNobody) {
  auto request = probe("stop_parent");
  request.timeout = milliseconds(500);
  const auto output = must_end(run(request));
  EXPECT_TRUE(is_timed_out(output)) << to_string(output.ending);
  EXPECT_LT(output.duration, milliseconds(500) + std::chrono::seconds(6));
}

TEST_P(LeftoversContract, StoppingTheInitAndExitingEndsTheExecution) {
  auto request = shell("kill -STOP $PPID; sleep 300 & exit 4");
  request.timeout = std::chrono::seconds(2);
  const auto output = must_end(run(request));
  EXPECT_EQ(output.exit_code, 4);
  EXPECT_FALSE(output.unresponsive);
}

TEST_P(LeftoversContract, KillingTheInitEndsTheCommand) {
  const auto killer = kill_the_init();
  const auto error = must_fail(run(shell("sleep 300 & setsid sleep 300")));
  EXPECT_EQ(error.kind, ErrorKind::disconnected) << error;
  EXPECT_EQ(error.step, "slot");
}

TEST_P(LeftoversContract, KillingTheInitInTheMiddleLeavesNothing) {
  const auto killer = kill_the_init(std::chrono::milliseconds(100));
  const auto error = must_fail(
      run(shell("(setsid " + probe_path("chain") + " 2 &) ; " + probe_path("daemon") + "; sleep 300")));
  EXPECT_EQ(error.kind, ErrorKind::disconnected) << error;
}

}  // namespace
}  // namespace prx::test
