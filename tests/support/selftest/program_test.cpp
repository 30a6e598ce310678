#include "support/program.hpp"

#include <unistd.h>

#include <csignal>

#include <gtest/gtest.h>

#include "support/artefacts.hpp"
#include "support/leak_check.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

using std::chrono::milliseconds;

class Program : public LeakChecked {};

TEST_F(Program, GivesStatusAndBothStreams) {
  const auto result = run_program({"/bin/sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_FALSE(result.timed_out);
}

TEST_F(Program, TellsASignalFromAnExit) {
  const auto result = run_program({"/bin/sh", "-c", "kill -USR1 $$"});
  EXPECT_EQ(result.signal, SIGUSR1);
  EXPECT_EQ(result.exit_code, 128 + SIGUSR1);
}

TEST_F(Program, PassesStdinAndCloses) {
  const std::string megabytes(std::size_t{3} << 20U, 'x');
  EXPECT_EQ(run_program({"cat"}, {.stdin_bytes = megabytes}).out, megabytes);
  EXPECT_EQ(run_program({"cat"}).out, "");
}

TEST_F(Program, SurvivesAProgramThatDoesNotReadItsStdin) {
  const auto result = run_program({probe_path("noop"), "3"}, {.stdin_bytes = std::string(1U << 20U, 'x')});
  EXPECT_EQ(result.exit_code, 3);
}

TEST_F(Program, EndsAtTheTimeoutWithTheGroup) {
  const auto result =
      run_program({"/bin/sh", "-c", "echo before; sleep 300 | cat"}, {.timeout = milliseconds(200)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.out, "before\n");
  EXPECT_LT(result.duration, milliseconds(5000));
}

TEST_F(Program, UsesEnvironmentAndFolder) {
  const TempDir dir;
  const auto result = run_program({"/bin/sh", "-c", "pwd; echo $ONLY$HOME"},
                                  {.env = {{"ONLY=this"}}, .working_dir = dir.path()});
  EXPECT_EQ(result.out, dir.path() + "\nthis\n");
}

TEST_F(Program, ThrowsWhenThereIsNone) {
  EXPECT_THROW((void)run_program({"/nonexistent/program"}), std::runtime_error);
}

TEST_F(Program, WaitsForOutputOfARunningOne) {
  RunningProgram program({probe_path("ignore_term")});
  ASSERT_TRUE(program.wait_for_output("ready"));
  program.send_signal(SIGTERM);
  program.send_signal(SIGKILL);
  EXPECT_EQ(program.wait().signal, SIGKILL);
}

TEST_F(Program, StartsWithoutBlockedSignals) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const auto result = run_program({"grep", "SigBlk", "/proc/self/status"});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\n");
}

}  // namespace
}  // namespace prx::test
