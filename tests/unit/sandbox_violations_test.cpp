#include <gtest/gtest.h>

#include <cerrno>

#include "sandbox/complaints.hpp"
#include "sandbox/local_host.hpp"
#include "sandbox/plan_explainer.hpp"
#include "unit/blueprint_fixture.hpp"

namespace prx::sandbox {
namespace {

using test::blueprint_of;
using test::users_machine;

/// "rule subject" of each violation.
std::vector<std::string> explained(const std::string& text, int exit_code = 1, const Config& config = {},
                                   std::uint32_t uid = test::kUser) {
  const auto host = users_machine();
  ExecutionOutput output;
  output.err.bytes = text;
  output.exit_code = exit_code;
  const std::string file = "/bin/sh";
  const std::string directory = "/home/u/ws";
  explain_output(blueprint_of(host, config, uid), {file, directory}, host, output);
  std::vector<std::string> found;
  for (const auto& violation : output.violations) {
    EXPECT_FALSE(violation.text.empty());
    found.push_back(violation.rule + " " + violation.subject);
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(SandboxViolations, WhatThePlanRefusesInTheWordsOfManyPrograms) {
  const Found secret{"private /home/u/.secret"};
  for (const auto* line : {
           "cat: /home/u/.secret: No such file or directory\n",
           "sh: 1: cannot open /home/u/.secret: No such file or directory\n",
           "FileNotFoundError: [Errno 2] No such file or directory: '/home/u/.secret'\n",
           "Error: ENOENT: no such file or directory, open '/home/u/.secret'\n",
           "open /home/u/.secret: no such file or directory\n",
           "error: failed to read `/home/u/.secret`: No such file or directory (os error 2)\n",
           "tar: /home/u/.secret: Cannot stat: No such file or directory\n",
           "ls: cannot access \xE2\x80\x98/home/u/.secret\xE2\x80\x99: No such file or directory",
           "cat: /home/u/.secret: No such file or directory\r\n",
           "cat: ../.secret: No such file or directory\n",
       }) {
    EXPECT_EQ(explained(line), secret) << line;
  }
  EXPECT_EQ(explained("touch: cannot touch '.git/hooks/x': Read-only file system"),
            Found{"protected /home/u/ws/.git/hooks/x"});
  EXPECT_EQ(explained("mv: cannot move '.git' to 'x': Device or resource busy"),
            Found{"protected /home/u/ws/.git"});
  EXPECT_EQ(explained("error: could not write config file .git/config: Device or resource busy"),
            Found{"protected /home/u/ws/.git/config"});
  EXPECT_EQ(explained("/bin/bash: line 1: .envrc: Read-only file system"),
            Found{"protected /home/u/ws/.envrc"});
  EXPECT_EQ(explained("OSError: [Errno 30] Read-only file system: '/etc/hosts'"), Found{"system /etc/hosts"});
  EXPECT_EQ(explained("mkdir: cannot create directory '/srv/new': No such file or directory"),
            Found{"not-shown /srv/new"});
}

TEST(SandboxViolations, AnOrdinaryFailureIsNotTheSandboxs) {
  for (const auto* line : {
           "cat: nosuch: No such file or directory\n",
           "sh: 1: cannot create .vscode/x: Directory nonexistent\n",
           "rm: cannot remove 'main.c': Device or resource busy\n",
           "cat: /etc/nosuch: No such file or directory\n",
           "cat: /etc/shadow: Permission denied\n",  // refused outside, too
           "cat: /etc/closed/x: Permission denied\n",
           "sh: 1: ./main.c: Permission denied\n",  // not executable
           "/bin/bash: line 1: /etc/hosts: Permission denied\n",
           "cat: /home/u/.secret: Permission denied\n",     // not what the plan answers there
           "cat: /etc/hosts: No such file or directory\n",  // it is there
           "all about /home/u/.secret and /etc/hosts\n",    // no complaint
           "ls: cannot access '': No such file or directory\n",
           "Permission denied\n",
           "",
       }) {
    EXPECT_EQ(explained(line), Found{}) << line;
  }
}

TEST(SandboxViolations, OfRootAPermissionIsWhereOnlyRootHasIt) {
  EXPECT_EQ(explained("cat: /etc/shadow: Permission denied", 1, {}, 0), Found{"identity /etc/shadow"});
  EXPECT_EQ(explained("sh: 1: /etc/hosts: Permission denied", 126, {}, 0), Found{});
}

TEST(SandboxViolations, AHiddenFileIsNamed) {
  Config config;
  config.security.sandbox.hidden_paths = {"*.pem"};
  EXPECT_EQ(explained("cat: key.pem: Permission denied", 1, config), Found{"hidden /home/u/ws/key.pem"});
}

TEST(SandboxViolations, AProgramThatOnlyTheHostHas) {
  const Found own{"not-shown /home/u/bin/own"};
  for (const auto* line : {"/bin/bash: line 1: own: command not found\n", "sh: 1: own: not found\n",
                           "env: \xE2\x80\x98own\xE2\x80\x99: No such file or directory\n"}) {
    EXPECT_EQ(explained(line, 127), own) << line;
    EXPECT_EQ(explained(line, 1), Found{}) << line;
  }
  EXPECT_EQ(explained("sh: 1: ls: not found", 127), Found{}) << "it is there";
  EXPECT_EQ(explained("sh: 1: nothing: not found", 127), Found{});
}

TEST(SandboxViolations, ANetworkThatIsOff) {
  const char* line = "curl: (6) Could not resolve host: example.com\n";
  EXPECT_EQ(explained(line), Found{"network network"});
  EXPECT_EQ(explained("connect: Connection refused\n"), Found{}) << "of its own loopback";
  Config config;
  config.security.sandbox.allow_network = true;
  EXPECT_EQ(explained(line, 6, config), Found{});
}

TEST(SandboxViolations, DeniedCallsAreNamed) {
  const auto host = users_machine();
  ExecutionOutput output;
  output.exit_code = 1;
  output.denials = {{"mount", 2}};
  explain_output(blueprint_of(host), {"/bin/sh", "/home/u/ws"}, host, output);
  ASSERT_EQ(output.violations.size(), 1U);
  EXPECT_EQ(output.violations[0].subject, "mount");
  EXPECT_NE(output.violations[0].text.find("2 system calls: mounting file systems"), std::string::npos);
}

TEST(SandboxViolations, ALotOfOutputCostsABoundedTime) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "x: /home/u/.secret" + std::to_string(i) + ": Permission denied\n";
  std::size_t subjects = 0;
  for (const auto& complaint : find_complaints(text)) subjects += complaint.subjects.size();
  EXPECT_GT(subjects, 0U);
  EXPECT_LE(subjects, 128U);
  const std::string longest(100'000, '/');
  EXPECT_EQ(explained(longest + ": No such file or directory"), Found{});
}

TEST(SandboxViolations, WhatIsPrintedIsPrintable) {
  const auto host = users_machine();
  ExecutionOutput output;
  output.exit_code = 1;
  output.err.bytes = "cat: '/home/u/\x1B[2J/../.secret': No such file or directory\n";
  explain_output(blueprint_of(host), {"/bin/sh", "/home/u/ws"}, host, output);
  for (const auto& violation : output.violations) {
    EXPECT_EQ(violation.text.find('\x1B'), std::string::npos);
    EXPECT_EQ(violation.subject.find('\x1B'), std::string::npos);
  }
}

Error setup_error_of(const std::string& step, const std::string& file, const std::string& directory,
                     int error) {
  const auto host = users_machine();
  Error wrong{ErrorKind::not_found, step, file, error, "plain", "plain"};
  explain_error(blueprint_of(host), {file, directory}, host, wrong);
  return wrong;
}

TEST(SandboxViolations, AProgramThatDidNotStart) {
  const auto own = setup_error_of("exec", "own", "/home/u/ws", ENOENT);
  EXPECT_NE(own.detail.find("installed at /home/u/bin/own"), std::string::npos) << own.detail;
  EXPECT_NE(own.hint.find("--set 'security.sandbox.readonly_paths=[\"/home/u/bin\"]'"), std::string::npos)
      << own.hint;
  const auto path = setup_error_of("exec", "../bin/own", "/home/u/ws", ENOENT);
  EXPECT_NE(path.detail.find("the sandbox does not let it"), std::string::npos) << path.detail;
  for (const auto* file : {"nothing", "./nothing", "/usr/bin/nothing"})
    EXPECT_EQ(setup_error_of("exec", file, "/home/u/ws", ENOENT).detail, "plain") << file;
  EXPECT_EQ(setup_error_of("exec", "./main.c", "/home/u/ws", EACCES).detail, "plain");
}

TEST(SandboxViolations, AWorkingDirectoryThatOnlyTheHostHas) {
  const auto outside = setup_error_of("chdir", "ls", "/srv/data", ENOENT);
  EXPECT_NE(outside.detail.find("not there in the sandbox"), std::string::npos) << outside.detail;
  EXPECT_NE(outside.hint.find("--workspace /srv/data"), std::string::npos) << outside.hint;
  EXPECT_EQ(setup_error_of("chdir", "ls", "/srv/nothing", ENOENT).detail, "plain");
}

TEST(SandboxViolations, FileSystemsThatMayNotAnswerAreNotAsked) {
  const auto blueprint = blueprint_of(users_machine());
  const LocalHost host(blueprint,
                       "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
                       "2 1 0:1 / /dead rw shared:1 - nfs4 server:/x rw\n"
                       "3 1 0:2 / /with\\040blank rw - fuse.sshfs x rw\n"
                       "4 1 0:3 / /home rw - fuse x rw\n"
                       "5 2 0:4 / /dead/local rw - tmpfs x rw\n"
                       "6 1 0:5 / /auto rw - autofs x rw\n"
                       "nonsense\n");
  for (const auto* path : {"/dead", "/dead/x", "/with blank/x", "/auto/x"})
    EXPECT_FALSE(host.is_local(path)) << path;
  for (const auto* path : {"/", "/etc", "/deadly", "/dead/local/x"}) EXPECT_TRUE(host.is_local(path)) << path;
  EXPECT_TRUE(host.is_local("/home/u/ws")) << "the sandbox stands on it";
}

}  // namespace
}  // namespace prx::sandbox
