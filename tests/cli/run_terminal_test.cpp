#include <gtest/gtest.h>

#include <csignal>

#include "cli/prx_program.hpp"
#include "cli/pty_program.hpp"
#include "support/eventually.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr std::chrono::seconds kPatience{10};

std::vector<std::string> terminal_env() {
  return plain_env({"TERM=xterm", "PS1=$ "});
}

TEST(CliTerminal, TheCommandGetsOneOfItsOwnOfTheSameSize) {
  PtyProgram prx(prx_command({"run", "-c", "tty; stty size; test -t 2 && echo all three"}), terminal_env());
  EXPECT_TRUE(prx.shows("/dev/pts/"));
  EXPECT_TRUE(prx.shows("30 100\r\n")) << prx.screen();
  EXPECT_TRUE(prx.shows("all three\r\n"));
  EXPECT_EQ(prx.wait(), 0);
  EXPECT_TRUE(prx.is_cooked());
}

TEST(CliTerminal, NoneWithoutOneHereAndNoneWhenRefused) {
  EXPECT_EQ(run_prx({"run", "-c", "test -t 0 || test -t 1"}).exit_code, 1);
  PtyProgram refused(prx_command({"run", "-T", "-c", "test -t 0 || test -t 1 || test -t 2 || echo none"}),
                     terminal_env());
  EXPECT_TRUE(refused.shows("none")) << refused.screen();
  EXPECT_EQ(refused.wait(), 0);
  EXPECT_EQ(run_prx({"run", "-t", "-c", "test -t 0 && test -t 1 && stty size"}).out, "24 80\r\n");
}

TEST(CliTerminal, ResizingReachesTheCommand) {
  PtyProgram prx(
      prx_command({"run", "-c", "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done"}),
      terminal_env());
  ASSERT_TRUE(prx.shows("ready"));
  prx.resize(41, 123);
  ::kill(prx.pid(), SIGWINCH);
  EXPECT_TRUE(prx.shows("41 123")) << prx.screen();
  EXPECT_EQ(prx.wait(), 0);
}

TEST(CliTerminal, CtrlCReachesTheCommandAndNotPrx) {
  PtyProgram prx(prx_command({"run", "-c", "trap 'echo caught; exit 9' INT; echo ready; read -r line"}),
                 terminal_env());
  ASSERT_TRUE(prx.shows("ready"));
  prx.type("\x03");
  EXPECT_TRUE(prx.shows("caught")) << prx.screen();
  EXPECT_EQ(prx.wait(), 9);
}

TEST(CliTerminal, CtrlCEndsACommandThatDoesNotCatchIt) {
  PtyProgram prx(prx_command({"run", "-c", "echo ready; exec sleep 60"}), terminal_env());
  ASSERT_TRUE(prx.shows("ready"));
  prx.type("\x03");
  EXPECT_EQ(prx.wait(), 130);
}

TEST(CliTerminal, WhatIsTypedIsReadAndCtrlDEndsIt) {
  PtyProgram prx(prx_command({"run", "-c", "read line; echo \"got $line\"; cat; echo end"}), terminal_env());
  prx.type("hello\r");
  EXPECT_TRUE(prx.shows("got hello")) << prx.screen();
  prx.type("\x04");
  EXPECT_TRUE(prx.shows("end")) << prx.screen();
  EXPECT_EQ(prx.wait(), 0);
}

TEST(CliTerminal, InputThatIsNoTerminalEndsAsAFileDoes) {
  ProgramOptions options;
  options.stdin_bytes = "one line\n";
  options.env = plain_env();
  const auto result = run_prx({"run", "-t", "-c", "stty -echo; cat; echo end"}, options);
  EXPECT_NE(result.out.find("end"), std::string::npos) << result.out;
  EXPECT_FALSE(result.timed_out);
}

TEST(CliTerminal, CtrlZStopsTheJobOfAnInnerShellAndFgBringsItBack) {
  PtyProgram prx(prx_command({"run", "-e", "PS1=inner> ", "--", "bash", "--norc", "-i"}), terminal_env());
  ASSERT_TRUE(prx.shows("inner> ")) << prx.screen();
  prx.type("sh -c 'echo ready; read line; echo got $line'\r");
  ASSERT_TRUE(prx.shows("ready\r\n")) << prx.screen();
  prx.type("\x1a");
  ASSERT_TRUE(prx.shows("Stopped")) << prx.screen();
  ASSERT_TRUE(prx.shows("inner> ")) << prx.screen();
  prx.type("fg\r");
  ASSERT_TRUE(prx.shows("fg\r\n")) << prx.screen();
  // Not \r: the shell may not have given up its own mode yet, in which nothing makes a \n of it.
  prx.type("word\n");
  ASSERT_TRUE(prx.shows("got word\r\n")) << prx.screen();
  ASSERT_TRUE(prx.shows("inner> ")) << prx.screen();
  prx.type("exit 6\r");
  EXPECT_EQ(prx.wait(), 6) << prx.screen();
}

TEST(CliTerminal, ModesAreRestoredOnEveryWayOut) {
  for (const int signal : {0, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGSEGV, SIGABRT}) {
    PtyProgram prx(prx_command({"run", "-c", "echo ready; exec sleep 60"}), terminal_env());
    ASSERT_TRUE(prx.shows("ready"));
    ASSERT_TRUE(eventually(kPatience, [&] { return !prx.is_cooked(); }));
    if (signal == 0) {
      prx.type("\x03");
    } else {
      ::kill(prx.pid(), signal);
    }
    EXPECT_EQ(prx.wait(), signal == 0 ? 130 : 128 + signal);
    EXPECT_TRUE(prx.is_cooked()) << "after signal " << signal;
  }
}

TEST(CliTerminal, StoppingPrxStopsTheCommandAndGivesTheTerminalBack) {
  PtyProgram shell({"/bin/bash", "--norc", "-i"}, terminal_env());
  shell.type("$PRX run -c 'echo ready; while :; do sleep 0.05; done'\r");
  ASSERT_TRUE(shell.shows("ready\r\n")) << shell.screen();
  ASSERT_TRUE(
      eventually(kPatience, [&] { return !shell.is_cooked() && shell.foreground_group() != shell.pid(); }));
  ::kill(-shell.foreground_group(), SIGTSTP);
  ASSERT_TRUE(shell.shows("Stopped")) << shell.screen();
  shell.type("echo shell is $((40+2))\r");
  EXPECT_TRUE(shell.shows("shell is 42")) << shell.screen();
  EXPECT_EQ(shell.foreground_group(), shell.pid());
  shell.type("fg\r");
  ASSERT_TRUE(shell.shows("fg\r\n")) << shell.screen();
  ASSERT_TRUE(
      eventually(kPatience, [&] { return shell.foreground_group() != shell.pid() && !shell.is_cooked(); }));
  shell.type("\x03");
  ASSERT_TRUE(eventually(kPatience, [&] { return shell.foreground_group() == shell.pid(); }))
      << shell.screen();
  shell.type("echo status $?\r");
  EXPECT_TRUE(shell.shows("status 130")) << shell.screen();
}

TEST(CliTerminal, CtrlZWithoutATerminalOfItsOwnStopsBoth) {
  PtyProgram shell({"/bin/bash", "--norc", "-i"}, terminal_env());
  shell.type("$PRX run -T -c 'echo ready; read line; echo got $line'\r");
  ASSERT_TRUE(shell.shows("ready\r\n")) << shell.screen();
  shell.type("\x1a");
  ASSERT_TRUE(shell.shows("Stopped")) << shell.screen();
  shell.type("fg\r");
  ASSERT_TRUE(eventually(kPatience, [&] { return shell.foreground_group() != shell.pid(); }));
  shell.type("word\r");
  EXPECT_TRUE(shell.shows("got word")) << shell.screen();
}

TEST(CliTerminal, CtrlZStopsTheWholeTreeEachTime) {
  PtyProgram shell({"/bin/bash", "--norc", "-i"}, terminal_env());
  shell.type("$PRX run -T -c 'sleep 300 & echo re\"\"ady $!; wait'\r");
  ASSERT_TRUE(shell.shows("ready ")) << shell.screen();
  ASSERT_TRUE(shell.shows("\r\n"));
  const pid_t sleeper = std::stoi(shell.screen().substr(shell.screen().rfind("ready ") + 6));
  const auto state = [&] {
    const std::string stat = read_file("/proc/" + std::to_string(sleeper) + "/stat");
    return stat.at(stat.rfind(')') + 2);
  };
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(eventually(kPatience, [&] { return shell.foreground_group() != shell.pid(); }));
    shell.type("\x1a");
    ASSERT_TRUE(shell.shows("Stopped")) << shell.screen();
    // Sent before prx stopped, so it comes, however late the processor is.
    EXPECT_TRUE(eventually(kPatience, [&] { return state() == 'T'; })) << state();
    shell.type("fg\r");
    ASSERT_TRUE(eventually(kPatience, [&] { return state() == 'S'; }));
  }
  shell.type("\x03");
  EXPECT_TRUE(eventually(kPatience, [&] { return ::kill(sleeper, 0) != 0; }));
}

TEST(CliTerminal, InTheBackgroundItIsNeverStopped) {
  PtyProgram shell({"/bin/bash", "--norc", "-i"}, terminal_env());
  shell.type("$PRX run -c 'echo in the back; stty size' & wait $!; echo status $?\r");
  EXPECT_TRUE(shell.shows("in the back\r\n")) << shell.screen();
  EXPECT_TRUE(shell.shows("status ")) << shell.screen();
  EXPECT_EQ(shell.screen().find("Stopped"), std::string::npos) << shell.screen();
  EXPECT_EQ(shell.foreground_group(), shell.pid());
}

TEST(CliTerminal, TheShellsForegroundGroupIsUnchangedAfterwards) {
  PtyProgram shell({"/bin/bash", "--norc", "-i"}, terminal_env());
  shell.type("$PRX run -- true; $PRX run -- cat </dev/null; $PRX run -T -- true; echo over\"\"now\r");
  EXPECT_TRUE(shell.shows("overnow")) << shell.screen();
  EXPECT_TRUE(eventually(kPatience, [&] { return shell.foreground_group() == shell.pid(); }));
  shell.type("exit 3\r");
  EXPECT_EQ(shell.wait(), 3);
}

TEST(CliTerminal, TheDefaultTimeoutDoesNotHold) {
  PtyProgram prx(
      prx_command({"run", "--set", "runtime.default_timeout_secs=1", "-c", "sleep 1.4; echo still here"}),
      terminal_env());
  EXPECT_TRUE(prx.shows("still here")) << prx.screen();
  EXPECT_EQ(prx.wait(), 0);
  PtyProgram asked(prx_command({"run", "--timeout", "300ms", "--", "sleep", "60"}), terminal_env());
  EXPECT_EQ(asked.wait(), 124);
}

TEST(CliTerminal, TheDefaultTimeoutHoldsWhereNobodyTypes) {
  const auto result = run_prx({"run", "--set", "runtime.default_timeout_secs=1", "-t", "--", "sleep", "60"});
  EXPECT_EQ(result.exit_code, 124) << result.err;
}

TEST(CliTerminal, ExplainTellsTheTimeoutThatHolds) {
  PtyProgram watched(prx_command({"explain", "--", "true"}), terminal_env());
  EXPECT_TRUE(watched.shows("timeout        none")) << watched.screen();
  EXPECT_EQ(watched.wait(), 0);
  EXPECT_NE(run_prx({"explain", "-t", "--", "true"}).out.find("timeout        60 s"), std::string::npos);
}

TEST(CliTerminal, CtrlCOnAPipelineEndsTheCommand) {
  PtyProgram shell({"/bin/bash", "--norc", "-i"}, terminal_env());
  shell.type("$PRX run -c 'echo ready; exec sleep 60' | cat\r");
  ASSERT_TRUE(shell.shows("ready\r\n")) << shell.screen();
  shell.type("\x03");
  ASSERT_TRUE(eventually(kPatience, [&] { return shell.foreground_group() == shell.pid(); }))
      << shell.screen();
  shell.type("echo status ${PIPESTATUS[0]}\r");
  EXPECT_TRUE(shell.shows("status 130")) << shell.screen();
}

}  // namespace
}  // namespace prx::test
