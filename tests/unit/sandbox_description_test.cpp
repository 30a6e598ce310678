#include "sandbox/description.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

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

TEST(SandboxDescription, PlacesThatAreProtectedAndNeverVisible) {
  const auto host = test::users_machine();
  Config config;
  config.security.sandbox.ssh_agent = true;
  const auto description = describe_plan(test::blueprint_of(host, config), host);
  const auto mount = [&](const std::string& target) {
    const auto& mounts = description.mounts;
    const auto line = std::find_if(mounts.begin(), mounts.end(),
                                   [&](const MountLine& each) { return each.target == target; });
    return line == mounts.end() ? std::string() : line->access + ", " + line->rule + ": " + line->origin;
  };
  EXPECT_EQ(mount("/home/u/ws/.git/config"),
            "read-only, protected: security.sandbox.protected_paths (built-in)");
  EXPECT_EQ(mount("/home/u/ws/.git"),
            "writable, workspace: the current directory; held in place for what is protected in it, "
            "security.sandbox.protected_paths (built-in)");
  EXPECT_EQ(mount("/run/ssh-agent"), "writable, granted: security.sandbox.ssh_agent (built-in)");
  const auto watched = [&](const std::string& path) {
    return std::any_of(description.watched.begin(), description.watched.end(), [&](const WatchLine& line) {
      return line.path == path && line.origin == "security.sandbox.protected_paths (built-in)";
    });
  };
  EXPECT_TRUE(watched("/home/u/ws/.vscode"));
  EXPECT_TRUE(watched("/home/u/ws/.git/commondir"));
  EXPECT_FALSE(watched("/home/u/ws/.envrc")) << "it is there, and so read-only";
  ASSERT_EQ(description.never_visible.size(), 2U);
  EXPECT_EQ(description.never_visible[1].what, "the Docker socket");
  EXPECT_EQ(description.never_visible[1].origin, "DOCKER_HOST");
}

TEST(SandboxDescription, EachLimitSaysWhatHoldsIt) {
  Config config;
  config.security.resources.max_memory = Bytes{64U << 20U};
  test::set_origin(config, "security.resources.max_memory_mb", 8);
  LimitPlan limits;
  limits.enforced = {{"memory", "cgroup-v1"}, {"open_files", "rlimit"}};
  limits.rlimits = {{RLIMIT_NOFILE, 512, 512}};
  std::vector<std::string> lines;
  for (const auto& line : describe_limits(config, limits))
    lines.push_back(line.name + " " + line.value + " by " + line.by + " " + line.origin);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0], "memory 64 MiB by cgroup-v1 security.resources.max_memory_mb (c.toml:8:1)");
  EXPECT_EQ(lines[3],
            "open_files 1024; inherited, 512 by rlimit security.resources.max_open_files (built-in)");
  EXPECT_EQ(lines[4], "file_size none by  security.resources.max_file_size_mb (built-in)");
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
