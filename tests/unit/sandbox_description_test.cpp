#include "sandbox/description.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "protocol/seccomp_denials.hpp"
#include "sandbox/filter_reading.hpp"
#include "sandbox/rule.hpp"
#include "sandbox/seccomp_profile.hpp"
#include "unit/blueprint_fixture.hpp"

namespace prx::sandbox {
namespace {

std::string filter_of(const SeccompOptions& options) {
  const auto program = seccomp_program(options);
  return {reinterpret_cast<const char*>(program.filter.data()), program.filter.size() * sizeof(sock_filter)};
}

/// A plan may say nothing that `explain` has no reason for, and `explain` nothing that is not in the plan.
TEST(SandboxDescription, EveryMountHasItsLineAndItsReason) {
  const auto host = test::users_machine();
  Config config;
  config.security.sandbox.readonly_paths = {"/srv/data"};
  config.security.sandbox.writable_paths = {"/tmp", "/srv/other"};
  config.security.sandbox.hidden_paths = {"*.pem"};
  for (const std::uint32_t uid : {0U, test::kUser}) {
    const auto blueprint = test::blueprint_of(host, config, uid);
    const auto description = describe_plan(blueprint, host);
    ASSERT_EQ(description.mounts.size(), blueprint.plan.mounts.size());
    for (std::size_t i = 0; i < description.mounts.size(); ++i) {
      const auto& line = description.mounts[i];
      EXPECT_EQ(line.target, blueprint.plan.mounts[i].target);
      EXPECT_FALSE(line.origin.empty()) << line.target;
      EXPECT_NE(line.rule, to_string(Rule::not_shown)) << line.target;
      const bool expects_resolver = line.target.find("resolv") != std::string::npos;
      EXPECT_EQ(line.rule == to_string(Rule::resolver), expects_resolver) << line.target;
    }
    EXPECT_EQ(description.landlock.size(), blueprint.plan.path_rules.size());
  }
}

TEST(SandboxDescription, GrantsHaveTheLineThatMadeThem) {
  const auto host = test::users_machine();
  Config config;
  config.security.sandbox.readonly_paths = {"/srv/data"};
  test::set_origin(config, "security.sandbox.readonly_paths", 3);
  const auto description = describe_plan(test::blueprint_of(host, config), host);
  const auto line = std::find_if(description.mounts.begin(), description.mounts.end(),
                                 [](const MountLine& each) { return each.target == "/srv/data"; });
  ASSERT_NE(line, description.mounts.end());
  EXPECT_EQ(line->access, "read-only");
  EXPECT_EQ(line->origin, "security.sandbox.readonly_paths (c.toml:3:1)");
}

/// What is said of a filter is what the filter does: the table that it was made from is not asked.
TEST(SandboxDescription, DeniedCallsAreReadOffTheFilter) {
  EXPECT_TRUE(refused_calls("").empty());
  const auto filter = filter_of({});
  for (const auto& refused : refused_calls(filter)) {
    for (const auto& call : refused.calls) {
      const bool known = std::any_of(std::begin(protocol::kSeccompDenials),
                                     std::end(protocol::kSeccompDenials), [&](const auto& denial) {
                                       return denial.call == call && denial.rule == refused.rule &&
                                              holds(denial, SeccompOptions{});
                                     });
      EXPECT_TRUE(known) << call;
    }
  }
  for (const auto& denial : protocol::kSeccompDenials) {
    if (!holds(denial, SeccompOptions{}) || denial.on(os::kArchitecture) < 0) continue;
    const auto refused = refused_calls(filter);
    EXPECT_TRUE(std::any_of(refused.begin(), refused.end(), [&](const RefusedCalls& each) {
      return each.rule == denial.rule &&
             std::find(each.calls.begin(), each.calls.end(), denial.call) != each.calls.end();
    })) << denial.call;
  }
  EXPECT_FALSE(refuses_network(filter));
  EXPECT_TRUE(refuses_network(filter_of({.inet = SeccompOptions::Inet::none})));
}

}  // namespace
}  // namespace prx::sandbox
