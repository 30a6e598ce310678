#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "cli/prx_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

/// The line of a plan that begins with `key`, blanks in a row made one.
std::string line_of(const std::string& text, const std::string& key) {
  const auto begin = ("\n" + text).find("\n" + key + " ");
  if (begin == std::string::npos) return "(no line " + key + ")";
  std::string line;
  for (const char c : text.substr(begin, text.find('\n', begin) - begin)) {
    if (c != ' ' || line.empty() || line.back() != ' ') line += c;
  }
  return line;
}

TEST(CliExplain, NamesWhatHoldsAndWhatMadeItSo) {
  const TempDir folder;
  const std::string file =
      folder.write("c.toml", "[runtime]\nbackend = \"native\"\ndefault_timeout_secs = 7\n");
  const auto result =
      run_prx({"explain", "--config", file, "-w", "/usr", "--max-output", "64k", "--", "ls", "a b"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(line_of(result.out, "backend"), "backend native # " + file + ":2:1");
  EXPECT_EQ(line_of(result.out, "program"), "program ls 'a b' # command line");
  EXPECT_EQ(line_of(result.out, "working dir"), "working dir /usr # --workdir");
  EXPECT_EQ(line_of(result.out, "timeout"), "timeout 7 s # " + file + ":3:1");
  EXPECT_EQ(line_of(result.out, "max output"), "max output 64 KiB # --max-output 64k");
  EXPECT_EQ(line_of(result.out, "sandbox"), "sandbox none # PRX_SECURITY__SANDBOX__BACKEND");
}

TEST(CliExplain, NamesTheDefaults) {
  const auto result = run_prx({"explain", "-c", "make test"});
  EXPECT_EQ(line_of(result.out, "backend"), "backend native (docker is not in this build) # built-in");
  EXPECT_EQ(line_of(result.out, "shell line"), "shell line make test # -c");
  EXPECT_EQ(line_of(result.out, "shell"), "shell line make test # -c");
  EXPECT_NE(result.out.find("\nshell          /bin/bash"), std::string::npos) << result.out;
  EXPECT_EQ(line_of(result.out, "timeout"), "timeout 60 s # built-in");
  EXPECT_EQ(line_of(result.out, "max output"), "max output 1 MiB # built-in");
}

TEST(CliExplain, ShowsTheEnvironmentThatRunPasses) {
  ProgramOptions options;
  options.env = plain_env({"SECRET=s3cret", "PATH_LIKE=no"});
  const std::vector<std::string> rest{
      "-e", "HOME=/elsewhere", "--set", "runtime.native.env.FROM_TABLE=\"t\"", "--", "env"};
  std::vector<std::string> explain{"explain", "--json"};
  std::vector<std::string> run{"run"};
  explain.insert(explain.end(), rest.begin(), rest.end());
  run.insert(run.end(), rest.begin(), rest.end());

  const auto plan = boost::json::parse(run_prx(explain, options).out).as_object();
  std::string planned;
  for (const auto& entry : plan.at("env").as_array()) {
    const auto& variable = entry.as_object();
    planned += std::string(variable.at("name").as_string().c_str()) + "=" +
               variable.at("value").as_string().c_str() + "\n";
  }
  EXPECT_EQ(planned, run_prx(run, options).out);
  EXPECT_EQ(planned.find("s3cret"), std::string::npos);

  const auto report = boost::json::parse(run_prx({"run", "--json", "--", "true"}, options).out).as_object();
  EXPECT_EQ(plan.at("env_withheld"), report.at("env_withheld"));
}

TEST(CliExplain, NamesTheSourceOfEachVariable) {
  const auto text =
      run_prx({"explain", "-e", "MINE=1", "--set", "runtime.native.env.T=\"t\"", "--", "true"}).out;
  EXPECT_EQ(line_of(text, "  MINE"), " MINE 1 # --env");
  EXPECT_EQ(line_of(text, "  T"), " T t # --set runtime.native.env.T=\"t\"");
  EXPECT_EQ(line_of(text, "  HOME"), " HOME /nonexistent # host, env_whitelist: built-in");
}

TEST(CliExplain, RunsAndWritesNothing) {
  const TempDir folder;
  EXPECT_EQ(run_prx({"explain", "--report", folder / "r", "--", "touch", folder / "ran"}).exit_code, 0);
  EXPECT_EQ(run_program({"/bin/ls", folder.path()}).out, "");
}

TEST(CliExplain, SaysWhenARuleCannotBeEnforced) {
  const auto result = run_prx({"explain", "--set", "security.sandbox.require=[\"metadata\"]", "--set",
                               "security.sandbox.backend=auto", "--", "true"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_NE(line_of(result.out, "backend").find("security.sandbox.require"), std::string::npos) << result.out;
}

TEST(CliExplain, NamesTheRuleThatDecides) {
  const TempDir folder;
  const auto config = folder.write("c.toml",
                                   "[security.tool_policy.tools]\n\"shell(git push:*)\" = \"deny\"\n"
                                   "[security.audit]\nenabled = true\npath = \"" +
                                       (folder / "log") + "\"\n");
  const auto result = run_prx({"explain", "--config", config, "-c", "ls; git -C . push"});
  const auto policy = line_of(result.out, "policy");
  EXPECT_NE(policy.find("deny (git -C . push)"), std::string::npos) << result.out;
  EXPECT_NE(policy.find("shell(git push:*)"), std::string::npos) << policy;
  EXPECT_NE(policy.find("c.toml:2:1"), std::string::npos) << policy;
  EXPECT_NE(line_of(result.out, "audit").find(folder / "log"), std::string::npos) << result.out;
  EXPECT_EQ(read_file(folder / "log"), "");
  EXPECT_EQ(read_file(folder / "log.head"), "");
}

TEST(CliExplain, SaysWhenNoBackendTakesIt) {
  const auto result = run_prx({"explain", "--set", "runtime.backend=docker", "--", "true"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(line_of(result.out, "backend").starts_with("backend none (")) << result.out;
  EXPECT_EQ(run_prx({"explain", "--timeout", "x", "--", "true"}).exit_code, 125);
  EXPECT_EQ(run_prx({"explain"}).exit_code, 125);
}

TEST(CliDoctor, FindsOutAboutThisMachine) {
  const auto result = run_prx({"doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const std::string name : {"kernel", "memfd", "user namespaces", "landlock", "seccomp", "cgroups",
                                 "terminals", "shell", "PATH", "configuration", "native backend"}) {
    EXPECT_NE(result.out.find(" " + name + " "), std::string::npos) << name << "\n" << result.out;
  }
  EXPECT_TRUE(result.out.ends_with("\nauto would pick: native (docker is not in this build)\n"))
      << result.out;
}

TEST(CliDoctor, JsonHasTheSame) {
  const auto object = boost::json::parse(run_prx({"doctor", "--json"}).out).as_object();
  EXPECT_EQ(object.at("auto").as_object().at("backend"), "native");
  EXPECT_EQ(object.at("checks").as_array().size(), 12U);
  for (const auto& check : object.at("checks").as_array()) {
    const auto& state = check.as_object().at("state").as_string();
    EXPECT_TRUE(state == "ok" || state == "limited" || state == "missing") << state;
    // What is not well comes with something to do about it.
    EXPECT_EQ(state == "ok", check.as_object().at("remedy").as_string().empty())
        << check.as_object().at("name");
  }
}

TEST(CliDoctor, SeesWhatIsWrong) {
  const TempDir folder;
  const std::string file = folder.write("c.toml", "[runtime]\nbakend = 1\n");
  const auto wrong = run_prx({"doctor", "--config", file});
  EXPECT_NE(wrong.out.find("missing   configuration"), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.out.find("prx config check tells where"), std::string::npos) << wrong.out;
  const auto shell = run_prx({"doctor", "--set", "runtime.native.shell=\"/no/such/shell\""});
  EXPECT_NE(shell.out.find("missing   shell"), std::string::npos) << shell.out;
  ProgramOptions options;
  options.env = std::vector<std::string>{"PATH=.:/usr/bin", "PRX_CONFIG=/dev/null"};
  EXPECT_NE(run_prx({"doctor"}, options).out.find("limited   PATH"), std::string::npos);
  EXPECT_EQ(run_prx({"doctor", "extra"}).exit_code, 125);
}

TEST(CliDoctor, LeavesNothingBehind) {
  const auto count = [] {
    return run_line("find /sys/fs/cgroup -name 'prx-doctor-*' 2>/dev/null | wc -l").out;
  };
  (void)run_prx({"doctor"});
  EXPECT_EQ(count(), "0\n");
}

}  // namespace
}  // namespace prx::test
