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

TEST(CliShell, RefusesWhatItCannotDo) {
  const TempDir folder;
  const auto script = run_shell({folder.write("s.sh", "echo x\n")});
  EXPECT_EQ(script.exit_code, 125);
  EXPECT_NE(script.err.find("hint: write prx-sh -c 'LINE'"), std::string::npos) << script.err;
  EXPECT_EQ(run_shell({}).exit_code, 125);
  EXPECT_EQ(run_shell({"-x", "-c", "true"}).exit_code, 125);
  EXPECT_EQ(run_shell({"-c", "true", "name", "arg"}).exit_code, 125);
}

}  // namespace
}  // namespace prx::test
