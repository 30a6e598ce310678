// What no command sees, whatever is granted around it: sockets behind which something works that is not
// confined. The control connects to the same socket from where nothing is hidden.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

base::Fd listen_at(const std::string& path) {
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0) << path;
  EXPECT_EQ(::listen(fd.get(), 8), 0);
  return fd;
}

/// A directory `run` beside the workspace, with a socket in it that a command may not see.
class NeverVisible : public ::testing::Test {
 protected:
  NeverVisible() {
    for (const auto* name : {"/run", "/ws", "/home"}) std::filesystem::create_directories(dir_.path() + name);
    socket_ = listen_at(socket());
    ordinary_ = listen_at(dir_.path() + "/run/ordinary.sock");
  }
  [[nodiscard]] std::string folder() const { return dir_.path() + "/run"; }
  [[nodiscard]] std::string socket() const { return folder() + "/s.sock"; }

  [[nodiscard]] ProgramResult run(const std::string& variable, const std::string& setting,
                                  const std::string& line) const {
    ProgramOptions options;
    options.env = {"PATH=/usr/bin:/bin", "HOME=" + dir_.path() + "/home", variable};
    options.working_dir = dir_.path() + "/ws";
    return run_program({prx_path(), "run", "--set", setting, "-c", line}, options);
  }
  [[nodiscard]] static std::string connect_to(const std::string& path) {
    return "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"" + path + "\")'";
  }
  [[nodiscard]] std::string granted(const char* key) const {
    return std::string("security.sandbox.") + key + "=[\"" + folder() + "\"]";
  }

 private:
  const TempDir dir_;
  base::Fd socket_;
  base::Fd ordinary_;
};

// Guarantees: SOCK-1
TEST_F(NeverVisible, SocketsThatTheEnvironmentNames) {
  if (::geteuid() != 0) return not_proven("escape.never_visible", "not root");
  for (const auto& variable : std::vector<std::string>{
           "DOCKER_HOST=unix://" + socket(), "SSH_AUTH_SOCK=" + socket(), "CONTAINER_HOST=unix://" + socket(),
           "DBUS_SESSION_BUS_ADDRESS=unix:path=" + socket() + ",guid=0"}) {
    SCOPED_TRACE(variable);
    const auto readable = granted("readonly_paths");
    // A read-only mount does not keep anybody from a socket.
    EXPECT_EQ(run(variable, readable, connect_to(folder() + "/ordinary.sock")).exit_code, 0);
    EXPECT_NE(run(variable, readable, connect_to(socket())).exit_code, 0);
    const auto refused = run(variable, granted("writable_paths"), "true");
    EXPECT_EQ(refused.exit_code, 125);
    EXPECT_NE(refused.err.find(socket()), std::string::npos) << refused.err;
  }
  const auto control = run("X=", granted("writable_paths"), connect_to(socket()));
  EXPECT_EQ(control.exit_code, 0) << control.err;
}

// Guarantees: SOCK-1
TEST_F(NeverVisible, TheConfiguredDockerSocket) {
  const auto set = "runtime.docker.socket=" + socket();
  ProgramOptions options;
  options.env = {"PATH=/usr/bin:/bin", "HOME=/nowhere"};
  options.working_dir = folder();
  const auto outside = run_program({prx_path(), "run", "-c", connect_to(socket())}, options);
  EXPECT_EQ(outside.exit_code, 0) << outside.err;
  const auto unnamed = run_program({prx_path(), "run", "--set", set, "true"}, options);
  EXPECT_EQ(unnamed.exit_code, 125) << unnamed.err;
  const auto hidden = run_program(
      {prx_path(), "run", "--set", set, "--workspace", folder(), "-c", connect_to(socket())}, options);
  EXPECT_NE(hidden.exit_code, 0);
  EXPECT_LT(hidden.exit_code, 124) << hidden.err;
}

/// Of an ordinary user, with no key in it.
class SshAgent : public ::testing::Test {
 protected:
  [[nodiscard]] static ProgramResult with_agent(const OrdinaryUser& user, const std::string& rest) {
    ProgramOptions options;
    options.working_dir = user.folder();
    return user.run(
        {"/bin/sh", "-c",
         "mkdir -p ws && eval $(ssh-agent -a $PWD/agent.sock) >/dev/null && export SSH_AUTH_SOCK && "
         "cd ws && { " +
             rest + "; }; code=$?; kill $SSH_AGENT_PID; exit $code"},
        options);
  }
  /// ssh-add says 1 for an agent without keys, 2 where it can reach none.
  static constexpr const char* kAsk = "ssh-add -l";
};

// Guarantees: SOCK-3
TEST_F(SshAgent, AnswersWhereItWasAskedFor) {
  if (!OrdinaryUser::possible()) return not_proven("escape.ssh_agent", "not root");
  const OrdinaryUser user;
  const auto prx = user.install(prx_path());
  const auto expect_code = [&](const std::string& prefix, int code) {
    const auto asked = with_agent(user, prefix + kAsk);
    EXPECT_EQ(asked.exit_code, code) << prefix << asked.out << asked.err;
  };
  expect_code("", 1);  // there is one
  expect_code(prx + " run --ssh-agent -- ", 1);
  expect_code(prx + " run -- ", 2);
  expect_code(prx + " run -e SSH_AUTH_SOCK -- ", 2);
}

TEST_F(SshAgent, WithoutOneOrAsRootItIsAnError) {
  const TempDir dir;
  ProgramOptions options;
  options.env = {"PATH=/usr/bin:/bin", "HOME=/nowhere"};
  options.working_dir = dir.path();
  const auto none = run_program({prx_path(), "run", "--ssh-agent", "true"}, options);
  EXPECT_EQ(none.exit_code, 125);
  EXPECT_NE(none.err.find("SSH_AUTH_SOCK"), std::string::npos) << none.err;
  if (::geteuid() != 0) return not_proven("escape.ssh_agent_as_root", "not root");
  const auto socket = listen_at(dir.path() + "/agent");
  options.env->push_back("SSH_AUTH_SOCK=" + dir.path() + "/agent");
  const auto root = run_program({prx_path(), "run", "--ssh-agent", "true"}, options);
  EXPECT_EQ(root.exit_code, 125);
  EXPECT_NE(root.err.find("ordinary user"), std::string::npos) << root.err;
}

}  // namespace
}  // namespace prx::test
