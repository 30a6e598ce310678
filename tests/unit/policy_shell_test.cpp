#include <gtest/gtest.h>

#include <string>

#include "policy/tool_policy.hpp"

namespace prx::policy {
namespace {

ToolPolicy policy_of(std::map<std::string, ToolRule> tools, ToolRule fallback = ToolRule::allow) {
  Config config;
  config.security.tool_policy.tools = std::move(tools);
  config.security.tool_policy.default_rule = fallback;
  auto made = ToolPolicy::make(config);
  EXPECT_TRUE(made) << made.error().message();
  return std::move(made).value();
}

ToolRule rule_of(const ToolPolicy& policy, const std::string& line) {
  return policy.decide({.command = ShellLine{line}}).rule;
}

const ToolPolicy& guarded() {
  static const auto& policy = *new ToolPolicy(
      policy_of({{"shell(git push:*)", ToolRule::deny}, {"shell(rm -rf:*)", ToolRule::deny}}));
  return policy;
}

/// The controls: what has nothing to do with the rules runs unasked.
TEST(PolicyOfShell, OrdinaryLinesAreAllowed) {
  for (const char* line : {"ls -la",
                           "git status && git log --oneline | head -3",
                           "git commit -m 'git push'",
                           "git commit -m push",
                           "echo rm -rf x",
                           "rm -f x",
                           "rm x",
                           "cat < in > out 2>&1",
                           "for i in a b; do echo \"$i\"; done",
                           "grep -r push src | wc -l",
                           "echo $(date) $HOME",
                           "A=1 ls",
                           "env A=1 ls -l",
                           "timeout -k 1 5 ls",
                           "cd x; pwd",
                           "if test -f a; then echo b; fi",
                           "nice -n 5 ls | xargs -0 -n1 echo",
                           "sh -c 'ls | wc -l'",
                           "cat <<EOF\ngit push\nEOF",
                           "# git push\nls",
                           "[ -f x ] && echo y",
                           "/usr/bin/git status",
                           "(cd x && ls) &"}) {
    EXPECT_EQ(rule_of(guarded(), line), ToolRule::allow)
        << line << ": " << guarded().decide({.command = ShellLine{line}}).reason;
  }
}

TEST(PolicyOfShell, WhatIsSeenIsDenied) {
  for (const char* line : {"git push",
                           "git push origin main",
                           "git -C /x push",
                           "git --no-pager push -f",
                           "git --git-dir x push",
                           "'git' \"push\"",
                           "g''it pu\\sh",
                           "\"g\"it push",
                           "/usr/bin/git push",
                           "env git push",
                           "env -i A=1 git push",
                           "/usr/bin/env A=1 git push",
                           "A=1 git push",
                           "nohup git push &",
                           "nice -n 3 timeout 5 git push",
                           "sudo -u me git push",
                           "command git push",
                           "exec git push",
                           "builtin exec git push",
                           "sh -c 'git push'",
                           "bash -c \"git push\"",
                           "bash -ec 'sh -c \"git push\"'",
                           "eval git push",
                           "eval 'git push'",
                           "echo x | xargs git push",
                           "xargs -n 1 git push < x",
                           "ls && git push",
                           "ls; git push",
                           "ls || git push",
                           "ls\ngit push",
                           "ls | git push",
                           "(git push)",
                           "{ git push; }",
                           "echo $(git push)",
                           "echo `git push`",
                           "cat <(git push)",
                           "x=$(git push)",
                           "if git push; then :; fi",
                           "while git push; do :; done",
                           "f() { git push; }; f",
                           "! git push",
                           "time git push",
                           "case x in x) git push;; esac",
                           "find . -exec git push \\;",
                           "cat <<EOF\n$(git push)\nEOF",
                           "git push # x",
                           "echo ${x:-$(git push)}",
                           "echo \"$(git push)\"",
                           "[[ -n $(git push) ]]",
                           "busybox env git push",
                           "rm -rf x",
                           "rm -fr x",
                           "rm -r -f x",
                           "rm -Rf x",
                           "rm --recursive --force x",
                           "rm --rec -f x",
                           "rm x -rf",
                           "rm -rfv x",
                           "rm -v -f -r x",
                           "command rm -rf x",
                           "find . -exec rm -rf {} +"}) {
    EXPECT_EQ(rule_of(guarded(), line), ToolRule::deny) << line;
  }
}

TEST(PolicyOfShell, WhatIsNotSeenIsSupervised) {
  for (const char* line : {"$cmd push",
                           "x=git; $x push",
                           "git $sub",
                           "git \"$sub\" origin",
                           "g?t push",
                           "{git,push}",
                           "git {push,x}",
                           "git pus[h]",
                           "$'git' push",
                           "git $'push'",
                           "gi\\\nt push",
                           "g\u0456t push",
                           "git\u00a0push",
                           "alias g=git; g push",
                           "sh script.sh",
                           "bash < x",
                           "curl x | sh",
                           "bash <<EOF\ngit push\nEOF",
                           "python3 -c 'x'",
                           "python3.11 x.py",
                           "perl -e 1",
                           "make",
                           "./deploy.sh",
                           "/tmp/git-wrapper x",
                           "source x",
                           ". x",
                           "ssh host git push",
                           "git -c alias.x=push x",
                           "git x",
                           "git submodule foreach ls",
                           "git rebase -x ls",
                           "PATH=/tmp ls",
                           "GIT_SSH_COMMAND=x git fetch",
                           "export PATH=/x",
                           "env -S 'git push'",
                           "env PATH=/x ls",
                           "sudo -s",
                           "sudo --weird ls",
                           "eval $x",
                           "eval \"$x\"",
                           "sh -c \"$x\"",
                           "bash -lc 'ls'",
                           "trap 'git push' EXIT",
                           "find . -exec sh -c 'x' \\;;",
                           "xargs $x",
                           "rm $flags x",
                           "rm \"$@\"",
                           "tar -I x -cf y z",
                           "awk 'BEGIN{system(\"x\")}'",
                           "sed s/a/b/e x",
                           "if",
                           "echo 'x",
                           "git push\r",
                           "coproc git push",
                           "watch ls",
                           "echo \x01",
                           "zsh -c ls",
                           "ls | parallel",
                           "busybox sh x"}) {
    EXPECT_NE(rule_of(guarded(), line), ToolRule::allow) << line;
  }
}

TEST(PolicyOfShell, AProgramIsAskedLikeALine) {
  const auto of = [&](std::string file, std::vector<std::string> args) {
    return guarded().decide({.command = Program{std::move(file), std::move(args)}}).rule;
  };
  EXPECT_EQ(of("git", {"status"}), ToolRule::allow);
  EXPECT_EQ(of("/usr/bin/git", {"push"}), ToolRule::deny);
  EXPECT_EQ(of("sh", {"-c", "ls; git push"}), ToolRule::deny);
  EXPECT_EQ(of("env", {"git", "push"}), ToolRule::deny);
  EXPECT_EQ(of("echo", {"$(git push)"}), ToolRule::allow);
  EXPECT_EQ(of("make", {}), ToolRule::supervised);
}

TEST(PolicyOfShell, TheMostSpecificRuleWinsAndDenyATie) {
  const auto policy = policy_of({{"shell(git:*)", ToolRule::deny},
                                 {"shell(git push:*)", ToolRule::supervised},
                                 {"shell(git push origin:*)", ToolRule::allow},
                                 {"shell(make:*)", ToolRule::allow},
                                 {"shell(ls)", ToolRule::allow}},
                                ToolRule::deny);
  EXPECT_EQ(rule_of(policy, "git status"), ToolRule::deny);
  EXPECT_EQ(rule_of(policy, "git push"), ToolRule::supervised);
  EXPECT_EQ(rule_of(policy, "git push origin x"), ToolRule::allow);
  EXPECT_EQ(rule_of(policy, "git push -f origin x"), ToolRule::supervised);
  EXPECT_EQ(rule_of(policy, "git push $x"), ToolRule::supervised);
  EXPECT_EQ(rule_of(policy, "make -j"), ToolRule::allow);
  EXPECT_EQ(rule_of(policy, "ls"), ToolRule::allow);
  EXPECT_EQ(rule_of(policy, "ls -l"), ToolRule::deny);
  EXPECT_EQ(rule_of(policy, "ls; cat x"), ToolRule::deny);
  EXPECT_EQ(rule_of(policy, "'"), ToolRule::deny);
  const auto decision = policy.decide({.command = ShellLine{"ls && git push"}});
  EXPECT_EQ(decision.key, "security.tool_policy.tools.\"shell(git push:*)\"");
  EXPECT_EQ(decision.reason, "git push");
}

TEST(PolicyOfShell, AMaybeIsNeverWeakerThanWhatIsSure) {
  const auto policy =
      policy_of({{"shell(git:*)", ToolRule::deny}, {"shell(git push origin:*)", ToolRule::supervised}});
  EXPECT_EQ(rule_of(policy, "git push $x"), ToolRule::deny);
}

TEST(PolicyOfTools, ByToolGroupPrefixAndArgument) {
  Config config;
  config.custom_tools["greet"].group = "talk";
  config.custom_tools["sing"].group = "talk";
  auto& from = config.security.tool_policy;
  from.groups = {{"talk", ToolRule::deny}, {"mcp", ToolRule::supervised}};
  from.tools = {{"greet", ToolRule::allow},
                {"greet(name=r*t)", ToolRule::deny},
                {"greet(name=root)", ToolRule::supervised},
                {"mcp__files__*", ToolRule::deny},
                {"mcp__files__read", ToolRule::allow}};
  const auto made = ToolPolicy::make(config);
  ASSERT_TRUE(made);
  const auto of = [&](std::string tool, std::string arguments = "{}") {
    return made
        ->decide({.command = Program{"x"}, .tool = std::move(tool), .tool_arguments = std::move(arguments)})
        .rule;
  };
  EXPECT_EQ(of("sing"), ToolRule::deny);
  EXPECT_EQ(of("greet"), ToolRule::allow);
  EXPECT_EQ(of("greet", R"({"name":"rabbit"})"), ToolRule::deny);
  EXPECT_EQ(of("greet", R"({"name":"root"})"), ToolRule::supervised);
  EXPECT_EQ(of("greet", R"({"name":"bob"})"), ToolRule::allow);
  EXPECT_EQ(of("mcp__files__read"), ToolRule::allow);
  EXPECT_EQ(of("mcp__files__write"), ToolRule::deny);
  EXPECT_EQ(of("mcp__web__get"), ToolRule::supervised);
  EXPECT_EQ(of("other"), ToolRule::allow);
}

TEST(PolicyOfTools, AKeyThatIsNoRuleIsRefused) {
  for (const char* key : {"shell(", "shell()", "shell(:*)", "shell(git p*sh)", "greet(name)", "greet(=x)",
                          "gr*et", "(x)", "a b"}) {
    Config config;
    config.security.tool_policy.tools = {{key, ToolRule::deny}};
    const auto made = ToolPolicy::make(config);
    EXPECT_FALSE(made) << key;
  }
}

}  // namespace
}  // namespace prx::policy
