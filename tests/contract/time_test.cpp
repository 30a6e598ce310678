// Deadlines, cancelling and signals.
#include <csignal>

#include "contract/contract.hpp"
#include "contract/events.hpp"

namespace prx::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class TimeoutContract : public ExecutionContract {};
PRX_CONTRACT(TimeoutContract);

TEST_P(TimeoutContract, APipelineEndsAtItsDeadline) {
  auto request = shell("sleep 300 | cat");
  request.timeout = seconds(1);
  const auto output = must_end(run(request));
  ASSERT_TRUE(is_timed_out(output));
  EXPECT_EQ(std::get<TimedOut>(output.ending).limit, seconds(1));
  EXPECT_EQ(output.exit_code, 124);
  EXPECT_GE(output.duration, seconds(1));
  EXPECT_LT(output.duration, milliseconds(2800));  // the grace, and 1.3 s
  EXPECT_FALSE(output.unresponsive);
}

TEST_P(TimeoutContract, WhatIgnoresTermIsKilledAfterTheGrace) {
  auto request = probe("ignore_term");
  request.timeout = milliseconds(300);
  const auto output = must_end(run(request));
  EXPECT_TRUE(is_timed_out(output));
  EXPECT_EQ(output.out.bytes, "ready\n");
  EXPECT_GE(output.duration, milliseconds(800));
  EXPECT_LT(output.duration, milliseconds(300) + milliseconds(500) + seconds(2));
  EXPECT_FALSE(output.unresponsive);
}

TEST_P(TimeoutContract, WhatEndsInTheGraceMaySaySo) {
  auto request = shell("trap 'echo bye; exit 0' TERM; echo hello; while :; do sleep 0.05; done");
  request.timeout = milliseconds(300);
  const auto output = must_end(run(request));
  EXPECT_TRUE(is_timed_out(output));
  EXPECT_EQ(output.out.bytes, "hello\nbye\n");
  EXPECT_EQ(output.exit_code, 124);
}

TEST_P(TimeoutContract, WhatIsStoppedEndsToo) {
  auto request = shell("kill -STOP $$");
  request.timeout = milliseconds(300);
  EXPECT_TRUE(is_timed_out(must_end(run(request))));
}

class CancelContract : public HandleContract {};
PRX_HANDLE_CONTRACT(CancelContract);

TEST_P(CancelContract, CancellingEndsTheTree) {
  OutputLog log;
  auto execution = start(shell("echo ready; sleep 300 | cat"), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  execution.cancel();
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(is_cancelled(output));
  EXPECT_EQ(std::get<Cancelled>(output.ending).signal, SIGTERM);
  EXPECT_EQ(output.exit_code, 143);
  EXPECT_EQ(output.out.bytes, "ready\n");
  EXPECT_LT(output.duration, kAtOnce);
}

TEST_P(CancelContract, ASecondTimeKillsAtOnce) {
  for (const bool twice : {false, true}) {
    OutputLog log;
    auto execution = start(probe("ignore_term"), log.events());
    ASSERT_TRUE(log.wait_for("ready"));
    const auto begin = std::chrono::steady_clock::now();
    execution.cancel();
    if (twice) execution.cancel();
    EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
    const auto took = std::chrono::steady_clock::now() - begin;
    if (twice) {
      EXPECT_LT(took, milliseconds(500));
    } else {
      EXPECT_GE(took, milliseconds(500));
    }
  }
}

TEST_P(CancelContract, ASignalGoesToTheWholeTree) {
  OutputLog log;
  auto execution = start(shell("trap 'echo parent' USR1; (trap 'echo child; exit 0' USR1; echo ready; "
                               "while :; do sleep 0.05; done) & wait; wait; exit 5"),
                         log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  must(execution.signal(SIGUSR1));
  const auto output = must_end(execution.wait());
  EXPECT_NE(output.out.bytes.find("parent"), std::string::npos) << output.out.bytes;
  EXPECT_NE(output.out.bytes.find("child"), std::string::npos) << output.out.bytes;
  EXPECT_EQ(output.exit_code, 5);
}

TEST_P(CancelContract, ADeadlySignalIsHowItEnded) {
  OutputLog log;
  auto execution = start(shell("echo ready; sleep 300"), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  must(execution.signal(SIGKILL));
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(std::holds_alternative<Signaled>(output.ending)) << to_string(output.ending);
  EXPECT_EQ(output.exit_code, 137);
}

}  // namespace
}  // namespace prx::test
