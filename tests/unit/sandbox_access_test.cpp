#include "sandbox/access.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "unit/blueprint_fixture.hpp"

namespace prx::sandbox {
namespace {

using test::blueprint_of;
using test::users_machine;
constexpr auto kRead = Operation::read;
constexpr auto kWrite = Operation::write;
constexpr auto kExecute = Operation::execute;

struct Case {
  const char* path;
  Operation operation;
  bool allowed;
  Rule rule;
  int error = 0;
};

void expect(const std::vector<Case>& cases, const Blueprint& blueprint, const HostView& host) {
  for (const auto& each : cases) {
    const auto verdict = judge(blueprint, each.path, each.operation, host);
    const auto what = std::string(to_string(each.operation)) + " " + each.path + ": " + verdict.reason;
    EXPECT_EQ(verdict.allowed, each.allowed) << what;
    EXPECT_EQ(to_string(verdict.rule), to_string(each.rule)) << what;
    EXPECT_EQ(verdict.error, each.error) << what;
    EXPECT_FALSE(verdict.reason.empty()) << each.path;
  }
}

TEST(SandboxAccess, EachPlaceHasItsRule) {
  const auto host = users_machine();
  expect(
      {
          {"/home/u/ws/main.c", kRead, true, Rule::workspace},
          {"/home/u/ws/main.c", kWrite, true, Rule::workspace},
          {"/home/u/ws/new", kWrite, true, Rule::workspace},
          {"/home/u/ws/new", kRead, false, Rule::absent, ENOENT},
          {"/home/u/ws/no/new", kWrite, false, Rule::absent, ENOENT},
          {"/etc/hosts", kRead, true, Rule::system},
          {"/etc/hosts", kWrite, false, Rule::system, EROFS},
          {"/etc/new", kWrite, false, Rule::system, EROFS},
          {"/usr/bin/ls", kExecute, true, Rule::system},
          {"/bin/ls", kExecute, true, Rule::system},
          {"/home/u/ws/.git/config", kRead, true, Rule::protected_path},
          {"/home/u/ws/.git/config", kWrite, false, Rule::protected_path, EROFS},
          {"/home/u/ws/.git/hooks/pre-commit", kWrite, false, Rule::protected_path, EROFS},
          {"/home/u/ws/.git/index", kWrite, true, Rule::workspace},
          {"/home/u/.secret", kRead, false, Rule::private_place, ENOENT},
          {"/home/u/.secret", kWrite, true, Rule::private_place},
          {"/home/u/.cache", kWrite, true, Rule::private_place},
          {"/tmp/of-host", kRead, false, Rule::private_place, ENOENT},
          {"/tmp/new", kWrite, true, Rule::private_place},
          {"/srv/data/in", kRead, false, Rule::not_shown, ENOENT},
          {"/srv/data/new", kWrite, false, Rule::not_shown, ENOENT},
          {"/srv/nothing", kRead, false, Rule::absent, ENOENT},
          {"/home/u/.config/openprx/config.toml", kRead, false, Rule::never_visible, ENOENT},
          {"/home", kRead, true, Rule::skeleton},
          {"/home/other", kWrite, false, Rule::skeleton, EROFS},
          {"/proc/self", kRead, false, Rule::absent, ENOENT},
          {"/dev/shm/x", kWrite, true, Rule::private_place},
      },
      blueprint_of(host), host);
}

TEST(SandboxAccess, WhatIsNeverVisibleSaysWhatItIs) {
  const auto host = users_machine();
  Config config;
  expect({{"/run/docker.sock", kWrite, false, Rule::never_visible, ENOENT},
          {"/run/agent", kWrite, false, Rule::never_visible, ENOENT}},
         blueprint_of(host), host);
  const auto docker = judge(blueprint_of(host), "/run/docker.sock", kRead, host);
  EXPECT_EQ(docker.reason, "the Docker socket, never shown (DOCKER_HOST)");
  EXPECT_EQ(docker.change.text, "");
  const auto agent = judge(blueprint_of(host), "/run/agent", kRead, host);
  EXPECT_EQ(agent.change.text, "set it to true: security.sandbox.ssh_agent (built-in)");
  EXPECT_EQ(agent.change.option, "--set security.sandbox.ssh_agent=true");
  config.security.sandbox.readonly_paths = {"/run"};
  expect({{"/run/docker.sock", kRead, false, Rule::never_visible, EACCES}}, blueprint_of(host, config), host);
}

TEST(SandboxAccess, TheSshAgentIsWhereTheSandboxPutsIt) {
  const auto host = users_machine();
  Config config;
  config.security.sandbox.ssh_agent = true;
  test::set_origin(config, "security.sandbox.ssh_agent", 5);
  const auto blueprint = blueprint_of(host, config);
  expect({{"/run/ssh-agent", kWrite, true, Rule::granted},
          {"/run/agent", kRead, false, Rule::not_shown, ENOENT}},
         blueprint, host);
  EXPECT_EQ(judge(blueprint, "/run/agent", kRead, host).reason,
            "the sandbox has it at /run/ssh-agent: security.sandbox.ssh_agent (c.toml:5:1)");
}

TEST(SandboxAccess, WhatAppearsAtAWatchedPlaceDoesNotStay) {
  const auto host = users_machine();
  Config config;
  test::set_origin(config, "security.sandbox.protected_paths", 6);
  const auto blueprint = blueprint_of(host, config);
  expect(
      {
          {"/home/u/ws/.vscode", kWrite, true, Rule::quarantined},
          {"/home/u/ws/.git/commondir", kWrite, true, Rule::quarantined},
          {"/home/u/ws/.vscode/tasks.json", kWrite, false, Rule::absent, ENOENT},
          {"/home/u/ws/.vscode", kRead, false, Rule::absent, ENOENT},
          {"/home/u/ws/.vscodes", kWrite, true, Rule::workspace},
      },
      blueprint, host);
  EXPECT_EQ(judge(blueprint, "/home/u/ws/.vscode", kWrite, host).reason,
            "what appears there is moved away when the command ends: security.sandbox.protected_paths "
            "(c.toml:6:1)");
}

TEST(SandboxAccess, WhatIsMountedStaysInItsPlace) {
  const auto host = users_machine();
  const auto blueprint = blueprint_of(host);
  for (const auto* path : {"/home/u/ws/.git", "/home/u/ws/.git/config", "/home/u/ws/.envrc"}) {
    const auto verdict = judge_removal(blueprint, path, host);
    EXPECT_FALSE(verdict.allowed) << path;
    EXPECT_EQ(verdict.error, EBUSY) << path;
    EXPECT_EQ(to_string(verdict.rule), "protected") << path;
    EXPECT_EQ(verdict.change.text, "take it out of security.sandbox.protected_paths (built-in)") << path;
  }
  for (const auto* path : {"/home/u/ws/main.c", "/home/u/ws/.git/HEAD", "/home/u/ws/none"})
    EXPECT_TRUE(judge_removal(blueprint, path, host).allowed) << path;
}

TEST(SandboxAccess, LinksLeadWhereTheyLeadInside) {
  const auto host = users_machine();
  const auto blueprint = blueprint_of(host);
  EXPECT_EQ(judge(blueprint, "/home/u/ws/hosts", kRead, host).path, "/etc/hosts");
  EXPECT_EQ(judge(blueprint, "/home/u/ws/up", kRead, host).path, "/home/u/ws/main.c");
  EXPECT_EQ(judge(blueprint, "/bin/../etc/hosts", kRead, host).path, "/usr/etc/hosts")
      << "the parent of a folder that a link leads to is not the link's";
  expect(
      {
          {"/home/u/ws/hosts", kRead, true, Rule::system},
          {"/home/u/ws/hosts", kWrite, false, Rule::system, EROFS},
          {"/home/u/ws/secret", kRead, false, Rule::private_place, ENOENT},
          {"/home/u/ws/loop", kRead, false, Rule::absent, ELOOP},
      },
      blueprint, host);
}

TEST(SandboxAccess, ConfiguredPathsNameTheirLine) {
  const auto host = users_machine();
  Config config;
  config.security.sandbox.readonly_paths = {"/srv/data"};
  config.security.sandbox.hidden_paths = {"*.pem"};
  test::set_origin(config, "security.sandbox.readonly_paths", 3);
  test::set_origin(config, "security.sandbox.hidden_paths", 4);
  const auto blueprint = blueprint_of(host, config);
  expect(
      {
          {"/srv/data/in", kRead, true, Rule::granted},
          {"/srv/data/in", kWrite, false, Rule::granted, EROFS},
          {"/home/u/ws/key.pem", kRead, false, Rule::hidden_path, EACCES},
          {"/home/u/ws/key.pem", kWrite, false, Rule::hidden_path, EACCES},
      },
      blueprint, host);
  EXPECT_NE(judge(blueprint, "/srv/data/in", kRead, host).reason.find("readonly_paths (c.toml:3:1)"),
            std::string::npos);
  const auto write = judge(blueprint, "/srv/data/in", kWrite, host);
  EXPECT_EQ(write.change.text, "add \"/srv/data/in\" to security.sandbox.writable_paths (built-in)");
  EXPECT_EQ(write.change.option, "--set 'security.sandbox.writable_paths=[\"/tmp\",\"/srv/data/in\"]'");
  const auto hidden = judge(blueprint, "/home/u/ws/key.pem", kRead, host);
  EXPECT_EQ(hidden.change.text, "take what matches it out of security.sandbox.hidden_paths (c.toml:4:1)");
}

TEST(SandboxAccess, OfAnOrdinaryUserAFilesOwnPermissionsAreNoRuleOfTheSandbox) {
  const auto host = users_machine();
  expect(
      {
          {"/etc/shadow", kRead, false, Rule::permissions, EACCES},
          {"/etc/closed/x", kRead, false, Rule::permissions, EACCES},
          {"/home/u/ws/main.c", kExecute, false, Rule::permissions, EACCES},
      },
      blueprint_of(host), host);
}

TEST(SandboxAccess, OfRootTheyAreSinceTheCommandIsNobody) {
  auto host = users_machine();
  host.file("/home/u/ws/closed", test::kUser, 0000).file("/home/u/ws/of-another", 7, 0600);
  const auto blueprint = blueprint_of(host, {}, 0);
  ASSERT_TRUE(blueprint.plan.high_id);
  expect(
      {
          {"/etc/shadow", kRead, false, Rule::identity, EACCES},
          {"/etc/closed/x", kRead, false, Rule::identity, EACCES},
          {"/home/u/ws/main.c", kWrite, true, Rule::workspace},
          {"/home/u/ws/of-another", kRead, false, Rule::identity, EACCES},
          {"/home/u/ws/closed", kRead, false, Rule::permissions, EACCES},
          {"/etc/hosts", kExecute, false, Rule::permissions, EACCES},
      },
      blueprint, host);
}

TEST(SandboxAccess, LandlockAloneDecidesWhereThereAreNoMounts) {
  const auto host = users_machine();
  auto blueprint = blueprint_of(host);
  blueprint.plan.confinement = protocol::Confinement::landlock;
  blueprint.plan.mounts.clear();
  blueprint.plan.path_rules = {{"/etc", 0xc}, {"/home/u/ws", blueprint.plan.landlock_fs}};
  expect(
      {
          {"/etc/hosts", kRead, true, Rule::landlock},
          {"/etc/hosts", kWrite, false, Rule::permissions, EACCES},
          {"/home/u/ws/new", kWrite, true, Rule::landlock},
          {"/home/u/.secret", kRead, false, Rule::landlock, EACCES},
          {"/srv/new", kWrite, false, Rule::landlock, EACCES},
      },
      blueprint, host);
}

TEST(SandboxAccess, ProgramsAreFoundByTheCommandsPath) {
  const auto host = users_machine();
  const auto blueprint = blueprint_of(host);
  EXPECT_EQ(find_program(blueprint, "ls", host).inside, "/usr/bin/ls");
  EXPECT_EQ(find_program(blueprint, "tool", host).inside, "/opt/tool/bin/tool");
  const auto own = find_program(blueprint, "own", host);
  EXPECT_EQ(own.inside, "");
  EXPECT_EQ(own.outside, "/home/u/bin/own");
  EXPECT_EQ(show_program(blueprint, own.outside).text,
            "add \"/home/u/bin\" to security.sandbox.readonly_paths (built-in)");
  EXPECT_EQ(find_program(blueprint, "none", host).outside, "");
}

TEST(SandboxAccess, TheNetworkIsByTheKey) {
  const auto host = users_machine();
  Config config;
  EXPECT_FALSE(judge_network(blueprint_of(host, config)).allowed);
  config.security.sandbox.allow_network = true;
  test::set_origin(config, "security.sandbox.allow_network", 9);
  const auto verdict = judge_network(blueprint_of(host, config));
  EXPECT_TRUE(verdict.allowed);
  EXPECT_EQ(verdict.reason, "security.sandbox.allow_network (c.toml:9:1)");
}

}  // namespace
}  // namespace prx::sandbox
