// A probe that does not do what it says proves nothing: each is tried here without prx.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <gtest/gtest.h>

#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/leak_check.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/proc_table.hpp"
#include "support/program.hpp"

namespace prx::test {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kSoon{2000};

class Probes : public LeakChecked {};

void expect_gone(pid_t pid) {
  kill(pid, SIGKILL);
  EXPECT_TRUE(eventually(kSoon, [&] { return !is_running(pid); }));
}

TEST_F(Probes, NoopExitsWithItsCode) {
  EXPECT_EQ(run_program({probe_path("noop")}).exit_code, 0);
  EXPECT_EQ(run_program({probe_path("noop"), "42"}).exit_code, 42);
}

TEST_F(Probes, WriterWritesExactly) {
  const auto result = run_program({probe_path("writer"), "2", "2", "z"});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, std::string(std::size_t{2} << 20U, 'z'));
}

TEST_F(Probes, PrintEnvAddsNothing) {
  EXPECT_EQ(run_program({probe_path("print_env")}, {.env = {{"A=1", "B=x y"}}}).out, "A=1\nB=x y\n");
  EXPECT_EQ(run_program({probe_path("print_env"), "-0"}, {.env = {{"A=1\n2"}}}).out,
            std::string("A=1\n2\0", 6));
}

TEST_F(Probes, IgnoreTermOutlivesTerm) {
  RunningProgram program({probe_path("ignore_term")}, {.timeout = milliseconds(300)});
  ASSERT_TRUE(program.wait_for_output("ready"));
  program.send_signal(SIGTERM);
  program.send_signal(SIGINT);
  EXPECT_TRUE(program.wait().timed_out);
}

TEST_F(Probes, SetsidChildHasASessionOfItsOwn) {
  const auto result = run_program({probe_path("setsid_child"), "exit"}, {.timeout = milliseconds(300)});
  EXPECT_EQ(result.exit_code, 0);
  const pid_t child = std::stoi(result.out);
  EXPECT_TRUE(is_running(child));
  EXPECT_EQ(getsid(child), child);
  expect_gone(child);
}

TEST_F(Probes, DaemonHoldsNoPipe) {
  const auto result = run_program({probe_path("daemon")});
  EXPECT_FALSE(result.timed_out);
  const pid_t daemon = std::stoi(result.out);
  EXPECT_TRUE(is_running(daemon));
  EXPECT_NE(getsid(daemon), getsid(0));
  expect_gone(daemon);
}

TEST_F(Probes, ChainKeepsChangingItsProcesses) {
  RunningProgram program({probe_path("chain"), "2"});
  ASSERT_TRUE(program.wait_for_output("ready"));
  const auto seen_far_from_the_start = [&] {
    for (const auto& process : all_processes()) {
      if (process.group == program.pid() && process.pid > program.pid() + 20) return true;
    }
    return false;
  };
  EXPECT_TRUE(eventually(kSoon, seen_far_from_the_start));
  // The chains stay in the program's group: a signal to a whole group reaches them in one go.
  program.send_signal(SIGKILL);
  EXPECT_EQ(program.wait().signal, SIGKILL);
}

TEST_F(Probes, StopParentStopsIt) {
  // A shell that does not exec its last command is the parent that gets stopped.
  RunningProgram shell({"/bin/sh", "-c", probe_path("stop_parent") + "; exit 0"});
  ASSERT_TRUE(shell.wait_for_output("stopped " + std::to_string(shell.pid())));
  int status = 0;
  EXPECT_EQ(waitpid(shell.pid(), &status, WUNTRACED), shell.pid());
  EXPECT_TRUE(WIFSTOPPED(status));
}

TEST_F(Probes, HoldPipeHoldsIt) {
  const auto held = run_program({probe_path("hold_pipe")}, {.timeout = milliseconds(300)});
  EXPECT_EQ(held.exit_code, 0);
  EXPECT_TRUE(held.timed_out);
  EXPECT_TRUE(eventually(kSoon, [&] { return !is_running(std::stoi(held.out)); }));
  EXPECT_FALSE(run_program({probe_path("hold_pipe"), "0"}).timed_out);
}

TEST_F(Probes, ListFdsListsWhatItWasGiven) {
  const int given = fcntl(STDIN_FILENO, F_DUPFD, 3);  // without close-on-exec
  const auto line = "\n" + std::to_string(given) + ' ';
  const auto with = run_program({probe_path("list_fds")}).out;
  close(given);
  const auto without = run_program({probe_path("list_fds")}).out;
  EXPECT_EQ(with.find("0 /dev/null\n1 pipe:"), 0U) << with;
  EXPECT_NE(with.find(line), std::string::npos) << with;
  EXPECT_EQ(without.find(line), std::string::npos) << without;
}

TEST_F(Probes, EatMemoryEats) {
  EXPECT_EQ(run_program({probe_path("eat_memory"), "8"}).out, "ate 8\n");
  const auto limited =
      run_program({"/bin/sh", "-c", "ulimit -v 65536; exec " + probe_path("eat_memory") + " 128"});
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_EQ(limited.out.find("refused at "), 0U) << limited.out;
}

TEST_F(Probes, SleeperSleeps) {
  const auto result = run_program({probe_path("sleeper"), "100"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_GE(result.duration, milliseconds(100));
  EXPECT_TRUE(run_program({probe_path("sleeper")}, {.timeout = milliseconds(100)}).timed_out);
}

TEST_F(Probes, OrdinaryUserIsOne) {
  if (!OrdinaryUser::possible())
    return not_proven("support.ordinary_user", "only root can become another user");
  const OrdinaryUser user;
  const auto who = user.run({"/usr/bin/id"});
  const auto id = std::to_string(user.id());
  EXPECT_EQ(who.out, "uid=" + id + " gid=" + id + " groups=" + id + "\n");
  EXPECT_EQ(user.run({user.install(probe_path("noop")), "9"}).exit_code, 9);
  EXPECT_EQ(user.run({"/bin/sh", "-c", "pwd; touch here && echo yes; cat /etc/shadow || echo no"}).out,
            user.folder() + "\nyes\nno\n");
}

}  // namespace
}  // namespace prx::test
