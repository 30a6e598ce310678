// How a command ended.
#include <algorithm>
#include <csignal>

#include "contract/contract.hpp"
#include "support/artefacts.hpp"

namespace prx::test {
namespace {

class ExitContract : public ExecutionContract {};
PRX_CONTRACT(ExitContract);

TEST_P(ExitContract, EveryCodeArrivesUnchanged) {
  for (const int code : {0, 1, 7, 125, 126, 127, 255}) {
    const auto text = std::to_string(code);
    for (const auto& request : {probe("noop", {text}), shell("exit " + text)}) {
      const auto output = must_end(run(request));
      ASSERT_TRUE(std::holds_alternative<Exited>(output.ending)) << code;
      EXPECT_EQ(std::get<Exited>(output.ending).code, code);
      EXPECT_EQ(output.exit_code, code);
    }
  }
}

TEST_P(ExitContract, ASignalIsNoExitCode) {
  for (const int signal : {SIGHUP, SIGINT, SIGKILL, SIGSEGV, SIGTERM, SIGUSR1}) {
    const auto output = must_end(run(shell("kill -" + std::to_string(signal) + " $$")));
    ASSERT_TRUE(std::holds_alternative<Signaled>(output.ending)) << signal;
    EXPECT_EQ(std::get<Signaled>(output.ending).signal, signal);
    EXPECT_EQ(output.exit_code, 128 + signal);
  }
  // A command may exit with such a code by itself.
  EXPECT_TRUE(std::holds_alternative<Exited>(must_end(run(shell("exit 143"))).ending));
}

TEST_P(ExitContract, AShellLineIsOneAndAProgramIsNone) {
  EXPECT_EQ(must_end(run(shell("echo $((6 * 7)) | cat"))).out.bytes, "42\n");
  EXPECT_EQ(must_end(run(program("echo", {"$((6 * 7))", "| cat", "", "a  b"}))).out.bytes,
            "$((6 * 7)) | cat  a  b\n");
}

TEST_P(ExitContract, TheOutputSaysWhatRan) {
  const auto first = must_end(run(shell("exit 0")));
  const auto second = must_end(run(shell("exit 0")));
  EXPECT_EQ(first.backend, backend().backend);
  EXPECT_EQ(first.sandbox, backend().sandbox);
  EXPECT_FALSE(first.id.empty());
  EXPECT_NE(first.id, second.id);
  EXPECT_GT(first.duration.count(), 0);
  EXPECT_GT(first.usage.max_rss.value, 0U);
  EXPECT_FALSE(first.unresponsive);
  EXPECT_EQ(first.leftovers.killed, 0U);
  EXPECT_EQ(first.leftovers.alive, 0U);
}

TEST_P(ExitContract, UsageCountsTheWholeTree) {
  const auto idle = must_end(run(shell("sleep 0.3")));
  // A grandchild does the work.
  const auto busy = must_end(run(shell("(i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done); exit 0")));
  EXPECT_GT(busy.usage.user_cpu, idle.usage.user_cpu);
  EXPECT_GE(idle.duration, std::chrono::milliseconds(300));
  EXPECT_GE(idle.timings.run, std::chrono::milliseconds(300));
}

TEST_P(ExitContract, ThePeakOfMemoryIsTheLargestProcess) {
  constexpr auto kMebibyte = std::uint64_t{1} << 20U;
  EXPECT_GE(must_end(run(probe("eat_memory", {"64"}))).usage.max_rss.value, 64 * kMebibyte);
  EXPECT_LT(must_end(run(probe("noop"))).usage.max_rss.value, 32 * kMebibyte);
}

TEST_P(ExitContract, NothingButThreeDescriptorsIsOpen) {
  const auto output = must_end(run(probe("list_fds")));
  EXPECT_NE(output.out.bytes.find("0 /dev/null\n1 pipe:"), std::string::npos) << output.out.bytes;
  EXPECT_EQ(std::count(output.out.bytes.begin(), output.out.bytes.end(), '\n'), 3) << output.out.bytes;
}

TEST_P(ExitContract, NoSignalIsBlockedOrIgnored) {
  const auto output = must_end(run(program("grep", {"-E", "^Sig(Blk|Ign)", "/proc/self/status"})));
  EXPECT_EQ(output.out.bytes, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_P(ExitContract, TheCallOfFiveArguments) {
  using std::chrono::seconds;
  const std::vector<EnvVar> env{{"PRX_TEST_MARK", marker()}, {"WORD", "hello"}};
  EXPECT_EQ(must_end(runtime().execute("echo $WORD; pwd", {}, env, "/tmp", seconds(20))).out.bytes,
            "hello\n/tmp\n");
  EXPECT_EQ(must_end(runtime().execute("echo", {"$WORD"}, env, "/tmp", seconds(20))).out.bytes, "$WORD\n");
}

}  // namespace
}  // namespace prx::test
