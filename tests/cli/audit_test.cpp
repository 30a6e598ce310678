#include <gtest/gtest.h>

#include <string>

#include "cli/prx_program.hpp"
#include "cli/pty_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

class AuditCommand : public ::testing::Test {
 protected:
  std::vector<std::string> args(std::vector<std::string> words) const {
    words.insert(words.end(), {"--config", config_});
    return words;
  }
  std::vector<std::string> run_args(const std::string& line) const {
    return {"run", "--config", config_, "-c", line};
  }

  TempDir dir_;
  std::string config_ =
      dir_.write("c.toml", "[security.audit]\nenabled = true\npath = \"" + (dir_ / "log") +
                               "\"\n[security.tool_policy]\nask_timeout_secs = 2\n"
                               "[security.tool_policy.tools]\n\"shell(touch:*)\" = \"deny\"\n"
                               "\"shell(printf:*)\" = \"supervised\"\n"
                               "[tools.custom.greet]\ncommand = \"echo\"\nargs = [\"hi\"]\n");
};

/// Every way of the command line, one log: what is denied and what is run of each is in it, in the same
/// words.
TEST_F(AuditCommand, EachWayToRunIsHeldToThePolicyAndWrittenDown) {
  EXPECT_EQ(run_prx(run_args("echo a")).out, "a\n");
  EXPECT_EQ(run_prx(run_args("touch " + (dir_ / "x"))).exit_code, 125);
  EXPECT_EQ(run_prx({"run", "--config", config_, "--", "touch", dir_ / "x"}).exit_code, 125);
  EXPECT_EQ(run_prx(args({"tool", "call", "greet"})).out, "hi\n");
  EXPECT_EQ(
      run_prx(args({"tool", "call", "shell", R"({"command":"touch )" + (dir_ / "x") + "\"}"})).exit_code,
      125);
  ProgramOptions batch;
  batch.stdin_bytes = "{\"tool\":\"greet\"}\n{\"tool\":\"shell\",\"arguments\":{\"command\":\"touch " +
                      (dir_ / "x") + "\"}}\n";
  EXPECT_EQ(run_prx(args({"tool", "call", "--batch"}), batch).exit_code, 0);
  EXPECT_EQ(run_program({"/bin/ls", dir_.path()}).out, "c.toml\nlog\nlog.head\n");

  const auto stats = run_prx(args({"audit", "stats", "--json"}));
  EXPECT_EQ(stats.out,
            "{\"records\":10,\"decisions\":{\"admitted\":3,\"denied\":4},\"endings\":{\"exited\":3},"
            "\"tools\":{\"greet\":2,\"shell\":5}}\n");
  const auto show = run_prx(args({"audit", "show", "--tool", "greet"}));
  EXPECT_NE(show.out.find("admitted greet: echo hi\n"), std::string::npos) << show.out;
  EXPECT_EQ(show.out.find("touch"), std::string::npos);
  const auto verify = run_prx(args({"audit", "verify"}));
  EXPECT_EQ(verify.exit_code, 0) << verify.out;
  EXPECT_NE(verify.out.find("whole, 10 records, head "), std::string::npos) << verify.out;
}

TEST_F(AuditCommand, VerifyFailsWhereALineWasChanged) {
  EXPECT_EQ(run_prx(run_args("true")).exit_code, 0);
  EXPECT_EQ(run_line("sed -i 's/\"exit_code\":0/\"exit_code\":1/' " + (dir_ / "log")).exit_code, 0);
  const auto verify = run_prx(args({"audit", "verify", "--json"}));
  EXPECT_EQ(verify.exit_code, 1);
  EXPECT_TRUE(verify.out.starts_with("{\"whole\":false")) << verify.out;
}

TEST_F(AuditCommand, WhoSitsAtTheTerminalIsAsked) {
  for (const std::string answer : {"y\n", "n\n", "\n"}) {
    PtyProgram prx(prx_command(run_args("printf %s%s do ne")), plain_env());
    ASSERT_TRUE(prx.shows("allow it?")) << prx.screen();
    EXPECT_NE(prx.screen().find("printf %s%s do ne"), std::string::npos);
    prx.type(answer);
    EXPECT_EQ(prx.wait(), answer == "y\n" ? 0 : 125) << prx.screen();
    EXPECT_EQ(prx.screen().find("done") != std::string::npos, answer == "y\n") << prx.screen();
  }
}

TEST_F(AuditCommand, NoAnswerInTimeAndNoTerminalAreDenials) {
  PtyProgram prx(prx_command(run_args("printf x")), plain_env());
  EXPECT_TRUE(prx.shows("no answer: denied")) << prx.screen();
  EXPECT_EQ(prx.wait(), 125);
  const auto nobody = run_program(
      {"/usr/bin/setsid", "-w", prx_command({}).front(), "run", "--config", config_, "-c", "printf x"},
      {.env = plain_env()});
  EXPECT_EQ(nobody.exit_code, 125);
  EXPECT_NE(nobody.err.find("said no"), std::string::npos) << nobody.err;
}

}  // namespace
}  // namespace prx::test
