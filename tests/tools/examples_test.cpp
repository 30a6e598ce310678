#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

/// With each sandbox that this build has.
TEST(Examples, TheAgentLoopGetsItsResultsAndItsDenial) {
  for (const std::string sandbox : {"none", "auto"}) {
    const TempDir workspace;
    ProgramOptions options;
    options.working_dir = workspace.path();
    options.env = {{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "PRX_CONFIG=/dev/null"}};
    const auto loop = run_program({PRX_AGENT_LOOP, "--set", "security.sandbox.backend=" + sandbox}, options);
    EXPECT_EQ(loop.exit_code, 0) << loop.err;
    EXPECT_NE(loop.out.find("result: 2\n"), std::string::npos) << sandbox << "\n" << loop.out;
    EXPECT_NE(loop.out.find("[hint: did you mean shell?]"), std::string::npos) << loop.out;
    EXPECT_NE(loop.out.find("result: one\ntwo\n"), std::string::npos) << loop.out;
    EXPECT_NE(loop.out.find("failed: [not run: policy: shell: the tool policy denies it: git push --force]"),
              std::string::npos)
        << loop.out;
  }
}

}  // namespace
}  // namespace prx::test
