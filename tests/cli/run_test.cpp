#include <gtest/gtest.h>

#include "cli/prx_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CliRun, EndsWithTheStatusOfTheCommand) {
  EXPECT_EQ(run_prx({"run", "--", "true"}).exit_code, 0);
  EXPECT_EQ(run_prx({"run", "--", "false"}).exit_code, 1);
  EXPECT_EQ(run_prx({"run", "-c", "exit 255"}).exit_code, 255);
  EXPECT_EQ(run_prx({"run", "-c", "kill -TERM $$"}).exit_code, 143);
}

TEST(CliRun, IsConfinedUnlessToldOtherwise) {
  const TempDir folder;
  ProgramOptions options;
  options.env = std::vector<std::string>{"PATH=/usr/bin:/bin", "PRX_CONFIG=/dev/null"};
  options.working_dir = folder.path();
  const auto confined = run_prx({"run", "--json", "--", "true"}, options);
  EXPECT_TRUE(has(confined.out, R"("sandbox":"namespaces")")) << confined.out << confined.err;
  EXPECT_TRUE(has(run_prx({"run", "--json", "--", "true"}).out, R"("sandbox":"none")"));
}

TEST(CliRun, ACommandThatStopsItsInitIsNotWaitedForWithoutEnd) {
  ProgramOptions options;
  options.env = plain_env();
  options.timeout = std::chrono::seconds(10);
  const auto result = run_prx({"run", "--timeout", "0", "-c", "kill -STOP $PPID; exit 3"}, options);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "");
}

TEST(CliRun, NamesInMessagesDoNotMoveTheCursor) {
  const auto result = run_prx({"run", "--", "no\x1b[2J\n\xc2\x9bsuch"});
  EXPECT_TRUE(has(result.err, "prx: exec: no\\x1B[2J\\n\\x9Bsuch: ")) << result.err;
  EXPECT_FALSE(has(result.err, "\x1b"));
  EXPECT_FALSE(has(run_prx({"explain", "-c", "a\x1b[2J\nb"}).out, "\x1b"));
}

TEST(CliRun, ALineThatBeginsWithADashIsALine) {
  const auto result = run_prx({"run", "-c", "--version"});
  EXPECT_EQ(result.exit_code, 127) << result.out;
}

TEST(CliRun, AMissingProgramIs127) {
  const auto result = run_prx({"run", "--", "no-such-program-here"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_TRUE(result.err.starts_with("prx: exec: no-such-program-here: ")) << result.err;
}

TEST(CliRun, AFileThatIsNoProgramIs126) {
  const TempDir folder;
  const std::string plain = folder.write("plain", "x", 0644);
  EXPECT_EQ(run_prx({"run", "--", plain}).exit_code, 126);
  const std::string orphan = folder.write("orphan", "#!/no/such/interpreter\n", 0755);
  const auto result = run_prx({"run", "--", orphan});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_TRUE(has(result.err, "/no/such/interpreter")) << result.err;
  const std::string good = folder.write("good", "#!/bin/sh\nexit 7\n", 0755);
  EXPECT_EQ(run_prx({"run", "--", good}).exit_code, 7);
}

TEST(CliRun, AMissingWorkingDirectoryIs125) {
  const auto result = run_prx({"run", "-w", "/no/such/folder", "--", "true"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(result.err.starts_with("prx: chdir: /no/such/folder: ")) << result.err;
  EXPECT_EQ(run_prx({"run", "-w", "/usr", "--", "pwd"}).out, "/usr\n");
}

TEST(CliRun, AShellLineGivenAsAProgramGetsTheHint) {
  const auto result = run_prx({"run", "ls -la"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_TRUE(has(result.err, "\nhint: for a shell line use -c: prx run -c 'ls -la'\n")) << result.err;
}

TEST(CliRun, AProgramWhoseNameHasABlankIsAProgram) {
  const TempDir folder;
  const std::string program = folder.write("a b", "#!/bin/sh\necho ran\n", 0755);
  EXPECT_EQ(run_prx({"run", program}).out, "ran\n");
}

TEST(CliRun, OptionsBehindTheProgramAreItsOwn) {
  EXPECT_EQ(run_prx({"run", "echo", "--json", "-c", "--help", "--", "-t"}).out, "--json -c --help -- -t\n");
  EXPECT_EQ(run_prx({"run", "--", "echo", "-q", "--no-such"}).out, "-q --no-such\n");
}

TEST(CliRun, AProgramNamedLikeAnOptionIsOneBehindTheDashes) {
  const TempDir folder;
  folder.write("--json", "#!/bin/sh\necho a program\n", 0755);
  const auto result = run_prx({"run", "-e", "PATH=" + folder.path(), "--", "--json"});
  EXPECT_EQ(result.out, "a program\n") << result.err;
}

TEST(CliRun, UnknownOptionsAreRefusedWithTheNearest) {
  const auto near = run_prx({"run", "--timeot", "2s", "--", "true"});
  EXPECT_EQ(near.exit_code, 125);
  EXPECT_EQ(near.err, "prx: options: --timeot: there is no such option\nhint: did you mean --timeout?\n");
  const auto far = run_prx({"run", "--frobnicate", "true"});
  EXPECT_EQ(far.exit_code, 125);
  EXPECT_TRUE(has(far.err, "hint: see: prx run --help")) << far.err;
}

TEST(CliRun, OptionsOfLaterIssuesDoNotExist) {
  for (const std::string option : {"--sandbox", "--image", "--network", "--memory", "--ro", "--rw"}) {
    EXPECT_EQ(run_prx({"run", option, "x", "true"}).exit_code, 125) << option;
  }
}

TEST(CliRun, ALineAndAProgramAtOnceAreRefused) {
  EXPECT_EQ(run_prx({"run", "-c"}).err, "prx: options: -c: needs a value\nhint: see: prx run --help\n");
  EXPECT_TRUE(run_prx({"run", "true", "--timeout"}).err.empty()) << "it belongs to the program";
  const auto both = run_prx({"run", "-c", "echo a", "b"});
  EXPECT_EQ(both.exit_code, 125);
  EXPECT_TRUE(has(both.err, "hint: put its arguments into the line")) << both.err;
  EXPECT_EQ(run_prx({"run"}).exit_code, 125);
  EXPECT_EQ(run_prx({"run", "-c", ""}).exit_code, 0) << "an empty line is a line";
}

TEST(CliRun, ALineInBracketsIsTakenAsItIs) {
  EXPECT_EQ(run_prx({"run", "-c", "[ -d /usr ]"}).exit_code, 0);
  EXPECT_EQ(run_prx({"run", "-c", "[ -d /no/such ]"}).exit_code, 1);
}

TEST(CliRun, TheCommandSeesOnlyWhatItIsMeantTo) {
  ProgramOptions options;
  options.env = plain_env({"SECRET=s3cret", "GIVEN=given", "LD_LIBRARY_PATH=/x"});
  const auto plain = run_prx({"run", "--", "env"}, options);
  EXPECT_FALSE(has(plain.out, "s3cret"));
  EXPECT_FALSE(has(plain.out, "LD_LIBRARY_PATH"));
  EXPECT_TRUE(has(plain.out, "HOME=/nonexistent\n"));
  const auto asked = run_prx({"run", "-e", "GIVEN", "-e", "NEW=a=b", "-e", "EMPTY=", "--", "env"}, options);
  EXPECT_TRUE(has(asked.out, "GIVEN=given\n"));
  EXPECT_TRUE(has(asked.out, "NEW=a=b\n"));
  EXPECT_TRUE(has(asked.out, "EMPTY=\n"));
}

TEST(CliRun, AVariableThatIsNotSetHereIsAnError) {
  const auto result = run_prx({"run", "-e", "NOT_SET_AT_ALL", "--", "true"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(has(result.err, "hint: write --env NOT_SET_AT_ALL=VALUE")) << result.err;
  EXPECT_EQ(run_prx({"run", "-e", "=x", "--", "true"}).exit_code, 125);
}

TEST(CliRun, TimeoutEndsTheCommandAndKeepsItsOutput) {
  const auto result = run_prx({"run", "--timeout", "300ms", "-c", "echo before; sleep 60"});
  EXPECT_EQ(result.exit_code, 124);
  EXPECT_EQ(result.out, "before\n");
  EXPECT_EQ(result.err, "prx: timed out after 300 ms\n");
  EXPECT_LT(result.duration, std::chrono::seconds(5));
  EXPECT_EQ(run_prx({"run", "--timeout", "30s", "--", "true"}).exit_code, 0);
  EXPECT_EQ(run_prx({"run", "--timeout", "0", "--", "true"}).exit_code, 0);
}

TEST(CliRun, TheDefaultTimeoutSaysHowToChangeIt) {
  const auto result = run_prx({"run", "--set", "runtime.default_timeout_secs=1", "--", "sleep", "60"});
  EXPECT_EQ(result.exit_code, 124);
  EXPECT_TRUE(has(result.err, "hint: --timeout TIME sets another limit")) << result.err;
}

TEST(CliRun, QuantitiesNeedToMakeSense) {
  for (const std::string time : {"2", "-1s", "abc", "1d", "s", "1e3s", "99999999999999h"}) {
    EXPECT_EQ(run_prx({"run", "--timeout=" + time, "--", "true"}).exit_code, 125) << time;
  }
  for (const std::string time : {"2s", "0.5s", "1m", "1H", "500ms"}) {
    EXPECT_EQ(run_prx({"run", "--timeout=" + time, "--", "true"}).exit_code, 0) << time;
  }
  for (const std::string size : {"x", "-1", "1t", "99999999999g"}) {
    EXPECT_EQ(run_prx({"run", "--max-output=" + size, "--", "true"}).exit_code, 125) << size;
  }
  for (const std::string size : {"0", "4096", "64k", "1m", "1MiB", "1g"}) {
    EXPECT_EQ(run_prx({"run", "--max-output=" + size, "--", "true"}).exit_code, 0) << size;
  }
}

TEST(CliRun, SetErrorsNameTheSetting) {
  const auto unknown = run_prx({"run", "--set", "runtime.default_timeout_sec=1", "--", "true"});
  EXPECT_EQ(unknown.exit_code, 125);
  EXPECT_TRUE(has(unknown.err, "--set runtime.default_timeout_sec=1")) << unknown.err;
  EXPECT_TRUE(has(unknown.err, "default_timeout_secs")) << unknown.err;
  EXPECT_EQ(run_prx({"run", "--set", "runtime.default_timeout_secs=abc", "--", "true"}).exit_code, 125);
  EXPECT_EQ(run_prx({"run", "--set", "nonsense", "--", "true"}).exit_code, 125);
  EXPECT_EQ(run_prx({"run", "--config", "/no/such.toml", "--", "true"}).exit_code, 125);
}

TEST(CliRun, ABackendThatIsNotHereIsAnError) {
  const auto result = run_prx({"run", "--set", "runtime.backend=docker", "--", "true"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(has(result.err, "hint: ")) << result.err;
}

TEST(CliRun, VerboseTellsBackendAndTimings) {
  const auto result = run_prx({"run", "-v", "--", "true"});
  EXPECT_TRUE(has(result.err, "prx: backend native, sandbox none, slot cold")) << result.err;
  EXPECT_TRUE(has(result.err, "spawn ")) << result.err;
}

TEST(CliRun, LeftoversAreKilledAndSaid) {
  const auto result = run_prx({"run", "-c", "sleep 60 & exit 0"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "prx: warning: killed 1 process that the command left running\n");
  EXPECT_LT(result.duration, std::chrono::seconds(10));
}

TEST(CliRun, UnknownCommandsGetAHint) {
  EXPECT_TRUE(has(run_prx({"rnu"}).err, "hint: did you mean prx run?"));
  EXPECT_TRUE(has(run_prx({"ls"}).err, "hint: to run it: prx run -- ls"));
  EXPECT_EQ(run_prx({"ls"}).exit_code, 125);
  EXPECT_EQ(run_prx({}).exit_code, 125);
  EXPECT_TRUE(run_prx({"--version"}).out.starts_with("prx "));
}

}  // namespace
}  // namespace prx::test
