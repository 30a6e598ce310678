#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sandbox/blueprint.hpp"
#include "sandbox/namespaces_plan.hpp"
#include "unit/fake_host.hpp"

namespace prx::test {

inline constexpr std::uint32_t kUser = 1000;

/// A user's machine: a home with a secret, a workspace in it with a repository, a tool, the system.
inline FakeHost users_machine() {
  FakeHost host;
  host.directory("/usr").directory("/etc").link("/bin", "usr/bin").directory("/tmp", 0, 01777);
  host.file("/usr/bin/ls", 0, 0755).file("/etc/hosts").file("/etc/shadow", 0, 0640);
  host.directory("/etc/closed", 0, 0700).file("/etc/closed/x");
  host.directory("/home/u", kUser, 0755).file("/home/u/.secret", kUser, 0600);
  host.file("/home/u/.config/openprx/config.toml", kUser);
  host.directory("/home/u/ws", kUser).file("/home/u/ws/main.c", kUser).file("/home/u/ws/key.pem", kUser);
  host.directory("/home/u/ws/.git/hooks", kUser).file("/home/u/ws/.git/HEAD", kUser);
  host.directory("/home/u/ws/.git/objects", kUser).directory("/home/u/ws/.git/refs", kUser);
  host.file("/home/u/ws/.git/config", kUser).file("/home/u/ws/.envrc", kUser);
  host.link("/home/u/ws/hosts", "/etc/hosts").link("/home/u/ws/secret", "../.secret");
  host.link("/home/u/ws/loop", "loop").link("/home/u/ws/up", "/home/u/ws/../ws/main.c");
  host.directory("/srv/data", kUser).file("/srv/data/in", kUser).file("/srv/other", kUser);
  host.directory("/opt/tool/bin", 0).file("/opt/tool/bin/tool", 0, 0755);
  host.file("/run/docker.sock", 0, 0660).file("/run/agent", kUser, 0600);
  host.file("/home/u/bin/own", kUser, 0755).file("/tmp/of-host", kUser);
  return host;
}

inline sandbox::Caller user_of(std::uint32_t uid, bool with_ssh_agent) {
  sandbox::Caller caller;
  caller.uid = caller.gid = uid;
  caller.home = "/home/u";
  caller.path = "/home/u/bin:/usr/bin:/bin:/opt/tool/bin";
  caller.workspace = "/home/u/ws";
  caller.never_visible = {{.path = "/home/u/.config/openprx", .what = "prx's own"},
                          {.path = "/run/docker.sock", .what = "the Docker socket", .origin = "DOCKER_HOST"},
                          {.path = "/run/agent",
                           .what = "the ssh agent's socket",
                           .origin = "SSH_AUTH_SOCK",
                           .key = "security.sandbox.ssh_agent"}};
  if (with_ssh_agent) {
    caller.never_visible.pop_back();
    caller.ssh_agent = "/run/agent";
  }
  caller.quarantine = "/home/u/.local/state/openprx/quarantine";
  return caller;
}

/// What kind `namespaces` makes of it; the configuration as a user's file would give it.
inline sandbox::Blueprint blueprint_of(const FakeHost& host, Config config = {}, std::uint32_t uid = kUser) {
  auto policy = sandbox::make_policy(config, user_of(uid, config.security.sandbox.ssh_agent), host);
  EXPECT_TRUE(policy) << (policy ? std::string() : policy.error().message());
  if (!policy) return {};
  auto plan = sandbox::plan_namespaces(*policy, {.landlock_abi = 7, .has_listener = true}, host);
  return {"namespaces", std::move(config), *std::move(policy), std::move(plan)};
}

/// `key` as line `line` of the user's file has set it.
inline void set_origin(Config& config, const std::string& key, std::uint32_t line) {
  config.origins[key] = {ConfigLayer::user, "c.toml", line, 1};
}

}  // namespace prx::test
