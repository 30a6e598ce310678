#include <gtest/gtest.h>

#include "support/docker_daemon.hpp"
#include "support/not_proven.hpp"

/// Without a daemon there is nothing that these tests could look at, and the run's report says so.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool runs_tests = !testing::GTEST_FLAG(list_tests);
  if (const auto missing = prx::test::why_no_docker_daemon(); runs_tests && !missing.empty()) {
    prx::test::not_proven("docker", missing);
    return 0;
  }
  return RUN_ALL_TESTS();
}
