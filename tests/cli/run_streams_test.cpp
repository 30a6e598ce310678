#include <gtest/gtest.h>

#include <csignal>

#include "cli/prx_program.hpp"
#include "support/leak_check.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

ProgramOptions with_stdin(std::string bytes) {
  ProgramOptions options;
  options.stdin_bytes = std::move(bytes);
  options.env = plain_env();
  return options;
}

TEST(CliStreams, StdinIsPassedOn) {
  EXPECT_EQ(run_prx({"run", "--", "cat"}, with_stdin("through\n")).out, "through\n");
  EXPECT_EQ(run_prx({"run", "--json", "--", "wc", "-c"}, with_stdin(std::string(100'000, 'x')))
                    .out.find("100000") != std::string::npos,
            true);
}

TEST(CliStreams, NoStdinIsEndOfFile) {
  EXPECT_EQ(run_prx({"run", "--no-stdin", "--", "cat"}, with_stdin("not this\n")).out, "");
}

TEST(CliStreams, BytesGoThroughUntouched) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(run_prx({"run", "--", "cat"}, with_stdin(bytes)).out, bytes);
  const TempDir folder;
  EXPECT_EQ(run_prx({"run", "--report", folder / "r", "--", "cat"}, with_stdin(bytes)).out, bytes);
}

TEST(CliStreams, AMegabyteForAProgramThatNeverReads) {
  const auto result = run_prx({"run", "--", "true"}, with_stdin(std::string(1U << 20U, 'x')));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_FALSE(result.timed_out);
}

TEST(CliStreams, ClosedStdinIsReadAsClosed) {
  EXPECT_EQ(run_line("$PRX run -- cat <&- 2>/dev/null").exit_code, 1);
  EXPECT_EQ(run_line("$PRX run -- true <&-").exit_code, 0);
}

TEST(CliStreams, ClosedStdoutFailsAsForAnyProgram) {
  const auto result = run_line("$PRX run -- echo lost >&-");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(run_line("$PRX run -- true >&-").exit_code, 0);
}

TEST(CliStreams, AClosedPipeEndsQuietly) {
  const auto result = run_line("{ $PRX run -- yes; echo $? >&2; } | head -1");
  EXPECT_EQ(result.out, "y\n");
  EXPECT_EQ(result.err, "141\n");
}

TEST(CliStreams, AClosedPipeEndsQuietlyAlsoWithAReport) {
  const TempDir folder;
  const auto result = run_line("{ $PRX run --report " + (folder / "r") + " -- yes; echo $? >&2; } | head -1");
  EXPECT_EQ(result.out, "y\n");
  EXPECT_EQ(result.err, "141\n");
}

TEST(CliStreams, NothingOfASlowReadersOutputIsLost) {
  const TempDir folder;
  // More than every buffer on the way, and far more than --max-output.
  const auto result = run_line("$PRX run --max-output 1k --report " + (folder / "r") +
                               " -- seq 300000 | { head -c 10 >/dev/null; wc -c; }");
  const auto whole = run_line("seq 300000 | { head -c 10 >/dev/null; wc -c; }");
  EXPECT_EQ(result.out, whole.out);
}

TEST(CliStreams, StdoutAndStderrStayApart) {
  const auto result = run_prx({"run", "-c", "echo out; echo err >&2"});
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
}

/// What prx ends with, and that nothing of the command is left, when it gets `signal`.
int status_after(int signal, const std::vector<std::string>& options) {
  std::vector<std::string> args{"run"};
  args.insert(args.end(), options.begin(), options.end());
  args.insert(args.end(), {"-c", "echo ready; sleep 60 & sleep 60"});
  ProgramOptions program;
  program.env = plain_env();
  RunningProgram prx(prx_command(args), program);
  EXPECT_TRUE(prx.wait_for_output("ready"));
  prx.send_signal(signal);
  const auto result = prx.wait();
  EXPECT_LT(result.duration, std::chrono::seconds(10));
  return result.exit_code;
}

TEST(CliSignals, EachEndsTheTreeWithItsOwnStatus) {
  EXPECT_EQ(status_after(SIGINT, {}), 130);
  EXPECT_EQ(status_after(SIGTERM, {}), 143);
  EXPECT_EQ(status_after(SIGHUP, {}), 129);
  EXPECT_EQ(status_after(SIGQUIT, {}), 131);
}

TEST(CliSignals, TheCommandMayCleanUpWithinTheGrace) {
  ProgramOptions options;
  options.env = plain_env();
  RunningProgram prx(prx_command({"run", "-c", "trap 'echo bye; exit 3' TERM; echo ready; sleep 60 & wait"}),
                     options);
  ASSERT_TRUE(prx.wait_for_output("ready"));
  prx.send_signal(SIGTERM);
  const auto result = prx.wait();
  EXPECT_EQ(result.out, "ready\nbye\n");
  EXPECT_EQ(result.exit_code, 143);
}

TEST(CliSignals, ASecondOneKillsAtOnce) {
  ProgramOptions options;
  options.env = plain_env();
  RunningProgram prx(
      prx_command({"run", "-c", "trap 'echo deaf' INT TERM; echo ready; while :; do sleep 0.01; done"}),
      options);
  ASSERT_TRUE(prx.wait_for_output("ready"));
  const auto begin = std::chrono::steady_clock::now();
  prx.send_signal(SIGINT);
  ASSERT_TRUE(prx.wait_for_output("deaf"));
  prx.send_signal(SIGINT);
  const auto result = prx.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(450))
      << "the grace is 500 ms";
}

TEST(CliSignals, WhatTheCallerIgnoresStaysIgnored) {
  const auto result = run_line(
      "trap '' HUP; $PRX run -c 'echo ready; sleep 0.3; echo done' & sleep 0.1; kill -HUP $!; wait $!");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "ready\ndone\n");
}

TEST(CliSignals, UserSignalsGoToTheCommand) {
  ProgramOptions options;
  options.env = plain_env();
  RunningProgram prx(
      prx_command({"run", "-c", "trap 'echo got it; exit 5' USR1; echo ready; while :; do sleep 0.05; done"}),
      options);
  ASSERT_TRUE(prx.wait_for_output("ready"));
  prx.send_signal(SIGUSR1);
  const auto result = prx.wait();
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.out, "ready\ngot it\n");
}

TEST(CliSignals, TheCommandStartsWithDefaultsAndNothingBlocked) {
  const auto result = run_prx({"run", "--", "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"});
  EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

}  // namespace
}  // namespace prx::test
