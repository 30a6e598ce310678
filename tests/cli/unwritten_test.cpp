// Output that cannot be written is told, and never an end with 0.
#include <gtest/gtest.h>

#include "cli/prx_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr const char* kFull = "prx: write: stdout: ";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CliUnwritten, AFullDevice) {
  for (const std::string options : {"--json", "--report /dev/null", "--report /dev/null -t"}) {
    const auto result = run_line("$PRX run " + options + " -c 'seq 10' >/dev/full");
    EXPECT_EQ(result.exit_code, 125) << options;
    EXPECT_TRUE(has(result.err, kFull)) << options << ": " << result.err;
    EXPECT_EQ(run_line("$PRX run " + options + " -c 'seq 10' >/dev/null").exit_code, 0) << options;
  }
  const auto error_stream = run_line("$PRX run --report /dev/null -c 'echo x >&2' 2>/dev/full");
  EXPECT_EQ(error_stream.exit_code, 125);
}

TEST(CliUnwritten, AClosedStdout) {
  const auto result = run_line("$PRX run --json -- true >&-");
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(has(result.err, kFull)) << result.err;
}

TEST(CliUnwritten, AReaderThatHasGoneIsNoError) {
  const auto result = run_line("{ $PRX run --json -- sleep 0.2; echo \"status $?\" >&2; } | true");
  EXPECT_EQ(result.err, "status 0\n");
}

TEST(CliUnwritten, AFileOverTheLimit) {
  const TempDir folder;
  const auto result =
      run_line("ulimit -f 0; $PRX run --report " + (folder / "r.json") + " -- echo out; echo \"status $?\"");
  EXPECT_TRUE(has(result.out, "status 125\n")) << result.out;
  EXPECT_TRUE(has(result.err, "File too large")) << result.err;
}

}  // namespace
}  // namespace prx::test
