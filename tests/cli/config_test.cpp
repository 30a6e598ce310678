#include <gtest/gtest.h>

#include "cli/prx_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Without PRX_CONFIG, in a home of its own.
ProgramOptions at_home(const TempDir& home) {
  ProgramOptions options;
  options.env = std::vector<std::string>{"PATH=/usr/bin:/bin", "HOME=" + home.path()};
  return options;
}

TEST(CliConfig, InitWritesAFileThatChecksAndNeverOverwrites) {
  const TempDir home;
  const std::string file = home / ".config/openprx/config.toml";
  EXPECT_EQ(run_prx({"config", "path"}, at_home(home)).out, file + "\n");
  const auto first = run_prx({"config", "init"}, at_home(home));
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, "wrote " + file + "\n");
  const std::string text = read_file(file);
  EXPECT_TRUE(has(text, "[runtime]"));
  const auto check = run_prx({"config", "check"}, at_home(home));
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_EQ(check.out, file + ": good\n");

  const auto again = run_prx({"config", "init"}, at_home(home));
  EXPECT_EQ(again.exit_code, 125);
  EXPECT_TRUE(has(again.err, "there is a file already")) << again.err;
  EXPECT_TRUE(has(again.err, "\nhint: ")) << again.err;
  EXPECT_EQ(read_file(file), text);
}

TEST(CliConfig, InitWritesWhereItIsTold) {
  const TempDir folder;
  const std::string file = folder / "deep/er/c.toml";
  EXPECT_EQ(run_prx({"config", "init", "--config", file}).exit_code, 0);
  EXPECT_EQ(run_prx({"config", "check", "--config", file}).exit_code, 0);
  EXPECT_EQ(run_prx({"config", "init", "--config", "/proc/no/c.toml"}).exit_code, 125);
}

TEST(CliConfig, CheckTellsEveryMistakeWithItsPlace) {
  const TempDir folder;
  const std::string file =
      folder.write("c.toml", "[runtime]\nbackend = \"nativ\"\ndefault_timeout_sec = 3\n");
  const auto result = run_prx({"config", "check", "--config", file});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(has(result.out, "c.toml:2:")) << result.out;
  EXPECT_TRUE(has(result.out, "c.toml:3:")) << result.out;
  EXPECT_TRUE(has(result.out, "default_timeout_secs")) << result.out;
  EXPECT_TRUE(has(result.out, ": 2 to correct\n")) << result.out;
}

TEST(CliConfig, WhatIsThereAndUnusableIsNotSaidToBeMissing) {
  const TempDir folder;
  const auto check = run_prx({"config", "check", "--config", folder.path()});
  EXPECT_TRUE(has(check.out, "is a directory")) << check.out;
  EXPECT_FALSE(has(check.out, "defaults")) << check.out;
  const auto missing = run_prx({"config", "check", "--config", folder / "none.toml"});
  EXPECT_EQ(missing.exit_code, 125);
  EXPECT_FALSE(has(missing.out, "defaults")) << "nothing runs with defaults then: " << missing.out;
}

TEST(CliConfig, ShowStaysTomlWhateverAnOptionHolds) {
  const TempDir folder;
  const auto shown = run_prx({"config", "show", "--set", "runtime.native.env.A=x\n[runtime\x1b"});
  EXPECT_FALSE(has(shown.out, "\x1b"));
  const std::string file = folder.write("shown.toml", shown.out);
  const auto check = run_prx({"config", "check", "--config", file});
  EXPECT_EQ(check.exit_code, 0) << check.out;
}

TEST(CliConfig, ShowTellsWhereEachValueComesFrom) {
  const TempDir folder;
  const std::string file = folder.write("c.toml", "[runtime]\nbackend = \"native\"\n");
  ProgramOptions options;
  options.env = plain_env({"PRX_RUNTIME__MAX_OUTPUT_BYTES=4096"});
  const auto result =
      run_prx({"config", "show", "--config", file, "--set", "runtime.default_timeout_secs=7"}, options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto line_of = [&](const std::string& key) {
    const auto begin = result.out.find(key + " = ");
    return begin == std::string::npos ? "" : result.out.substr(begin, result.out.find('\n', begin) - begin);
  };
  EXPECT_TRUE(has(line_of("runtime.backend"), "c.toml:2:")) << line_of("runtime.backend");
  EXPECT_TRUE(has(line_of("runtime.max_output_bytes"), "PRX_RUNTIME__MAX_OUTPUT_BYTES"));
  EXPECT_TRUE(has(line_of("runtime.default_timeout_secs"), "7"));
  EXPECT_TRUE(has(line_of("runtime.default_timeout_secs"), "--set runtime.default_timeout_secs=7"));
  EXPECT_TRUE(has(line_of("runtime.env_whitelist"), "built-in"));
}

TEST(CliConfig, ShowCanBeReadBack) {
  const TempDir folder;
  const auto shown = run_prx({"config", "show", "--set", "runtime.native.env.KEY=\"a # b\""});
  const std::string file = folder.write("c.toml", shown.out);
  const auto again = run_prx({"config", "show", "--config", file});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(has(again.out, "runtime.native.env.KEY = \"a # b\"")) << again.out;
}

TEST(CliConfig, NeedsOneActionItKnows) {
  EXPECT_EQ(run_prx({"config"}).exit_code, 125);
  EXPECT_EQ(run_prx({"config", "frobnicate"}).exit_code, 125);
  EXPECT_EQ(run_prx({"config", "show", "path"}).exit_code, 125);
  EXPECT_TRUE(has(run_prx({"config"}).err, "hint: prx config init, check, show or path"));
}

TEST(CliConfig, IsReadByRun) {
  const TempDir home;
  (void)run_prx({"config", "init"}, at_home(home));
  EXPECT_EQ(run_prx({"run", "-q", "--", "true"}, at_home(home)).exit_code, 0);
  const TempDir folder;
  const std::string table = folder.write("c.toml", "[runtime.native.env]\nMARK=\"from the file\"\n");
  EXPECT_EQ(run_prx({"run", "--config", table, "-c", "echo $MARK"}).out, "from the file\n");
}

}  // namespace
}  // namespace prx::test
