#include <gtest/gtest.h>

#include "cli/prx_program.hpp"
#include "support/artefacts.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

std::string shell_path() {
  return prx_path() + "-sh";
}

ProgramResult run_shell(const std::vector<std::string>& args, ProgramOptions options = {}) {
  std::vector<std::string> command{shell_path()};
  command.insert(command.end(), args.begin(), args.end());
  if (!options.env) options.env = plain_env();
  return run_program(command, std::move(options));
}

TEST(CliShell, RunsALineWithStdinAndStatus) {
  EXPECT_EQ(run_shell({"-c", "exit 7"}).exit_code, 7);
  ProgramOptions options;
  options.stdin_bytes = "typed\n";
  options.env = plain_env();
  EXPECT_EQ(run_shell({"-c", "cat | tr a-z A-Z"}, options).out, "TYPED\n");
}

TEST(CliShell, TakesTheFlagsOfLoginShells) {
  EXPECT_EQ(run_shell({"-lc", "echo a"}).out, "a\n");
  EXPECT_EQ(run_shell({"-l", "-i", "-c", "echo b"}).out, "b\n");
}

TEST(CliShell, IsAShellForProgramsThatAskForOne) {
  ProgramOptions options;
  options.env = plain_env({"SHELL=" + shell_path(), "SECRET=s3cret"});
  const auto result = run_program({"/bin/sh", "-c", "$SHELL -c 'echo line $((1+1)); env'"}, options);
  EXPECT_TRUE(result.out.starts_with("line 2\n")) << result.out;
  EXPECT_EQ(result.out.find("s3cret"), std::string::npos) << "it ran through prx";
  const auto script = run_program({"/usr/bin/script", "-qec", "echo via script", "/dev/null"}, options);
  EXPECT_NE(script.out.find("via script"), std::string::npos) << script.out << script.err;
}

TEST(CliShell, TakesTheOptionsOfAShell) {
  const std::string failing = "false; echo not reached";
  EXPECT_EQ(run_shell({"-ec", failing}).out, "");
  EXPECT_EQ(run_shell({"-e", "-c", failing}).exit_code, 1);
  EXPECT_EQ(run_shell({"-c", "-e", failing}).exit_code, 1) << "-c is a flag, the line an operand";
  EXPECT_EQ(run_shell({"-e", "+e", "-c", "false; echo reached"}).out, "reached\n");
  EXPECT_EQ(run_shell({"-o", "pipefail", "-c", "false | true"}).exit_code, 1);
  EXPECT_EQ(run_shell({"-euo", "pipefail", "-c", "false | true; echo not reached"}).out, "");
  EXPECT_EQ(run_shell({"-xc", "echo traced"}).err, "+ echo traced\n");
  EXPECT_EQ(run_shell({"--norc", "--noprofile", "-c", "echo c"}).out, "c\n");
}

TEST(CliShell, WhatFollowsTheLineIsItsArguments) {
  EXPECT_EQ(run_shell({"-c", "echo $0 $#; printf '[%s]' \"$@\"", "name", "a", "b c", "", "-x"}).out,
            "name 4\n[a][b c][][-x]");
  EXPECT_EQ(run_shell({"-c", "--", "echo d"}).out, "d\n");
  EXPECT_EQ(run_shell({"-c", ""}).exit_code, 0);
}

TEST(CliShell, ServesMakeAndXargs) {
  const TempDir folder;
  const std::string makefile = folder.write(
      "m", "SHELL := " + shell_path() + "\n.SHELLFLAGS := -ec\nall:\n\t@echo made; false; echo never\n");
  ProgramOptions options;
  options.env = plain_env();
  const auto made = run_program({"/bin/sh", "-c", "make -f " + makefile}, options);
  EXPECT_EQ(made.out, "made\n") << made.err;
  EXPECT_EQ(made.exit_code, 2);
  const auto args =
      run_program({"/bin/sh", "-c", "seq 2 | xargs -n1 " + shell_path() + " -c 'echo \"<$1>\"' sh"}, options);
  EXPECT_EQ(args.out, "<1>\n<2>\n") << args.err;
}

TEST(CliShell, IsALoginShellByItsName) {
  ProgramOptions options;
  options.env = plain_env();
  const auto result =
      run_program({"/bin/bash", "-c", "exec -a -prx-sh \"$0\" -c 'echo in'", shell_path()}, options);
  EXPECT_EQ(result.out, "in\n") << result.err;
}

TEST(CliShell, SaysWhatItIs) {
  EXPECT_TRUE(run_shell({"--version"}).out.starts_with("prx-sh "));
  EXPECT_TRUE(run_shell({"--help"}).out.starts_with("prx-sh - "));
  EXPECT_EQ(run_shell({"-h"}).out, run_shell({"--help"}).out);
}

TEST(CliShell, RefusesWhatItCannotDo) {
  const TempDir folder;
  const auto script = run_shell({folder.write("s.sh", "echo x\n")});
  EXPECT_EQ(script.exit_code, 125);
  EXPECT_NE(script.err.find("hint: write prx-sh -c 'LINE'"), std::string::npos) << script.err;
  EXPECT_EQ(run_shell({}).exit_code, 125);
  EXPECT_EQ(run_shell({"-c"}).exit_code, 125);
  EXPECT_EQ(run_shell({"-s"}).exit_code, 125);
  EXPECT_EQ(run_shell({"-o"}).exit_code, 125);
  EXPECT_EQ(run_shell({"--no-such-option", "-c", "true"}).exit_code, 125);
}

}  // namespace
}  // namespace prx::test
