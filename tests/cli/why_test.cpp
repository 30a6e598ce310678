#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <set>

#include "cli/prx_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

/// A home with a workspace, a secret and a tool of its own; prx confines by its default.
class CliWhy : public ::testing::Test {
 protected:
  CliWhy() {
    for (const auto* name : {"home/bin", "home/ws/.git/hooks", "outside"})
      std::filesystem::create_directories(dir_ / name);
    (void)dir_.write("home/.secret", "x");
    (void)dir_.write("home/bin/own-tool", "#!/bin/sh\n", 0755);
    config_ = dir_.write("c.toml", "[security.sandbox]\nhidden_paths = [\"*.pem\"]\n");
    (void)dir_.write("home/ws/key.pem", "x");
  }

  [[nodiscard]] ProgramResult prx(std::vector<std::string> args) const {
    ProgramOptions options;
    options.env = {"PATH=" + (dir_ / "home/bin") + ":/usr/bin:/bin", "HOME=" + (dir_ / "home"),
                   "PRX_CONFIG=" + config_};
    options.working_dir = dir_ / "home/ws";
    return run_prx(args, options);
  }
  [[nodiscard]] boost::json::object json(std::vector<std::string> args) const {
    return boost::json::parse(prx(std::move(args)).out).as_object();
  }

  TempDir dir_;
  std::string config_;
};

std::string text_of(const boost::json::value& value) {
  return {value.as_string().data(), value.as_string().size()};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CliWhy, NamesTheLineThatDecidesAndWhatWouldChangeIt) {
  const auto hidden = prx({"why", "./key.pem"});
  EXPECT_EQ(hidden.exit_code, 1) << hidden.err;
  EXPECT_TRUE(has(hidden.out, "security.sandbox.hidden_paths (" + config_ + ":2:1)")) << hidden.out;
  const auto secret = json({"why", "--json", dir_ / "home/.secret"});
  EXPECT_EQ(secret.at("allowed"), false);
  EXPECT_EQ(secret.at("rule"), "private");
  EXPECT_EQ(text_of(secret.at("change")),
            "add \"" + (dir_ / "home/.secret") + "\" to security.sandbox.readonly_paths (built-in)");
  EXPECT_EQ(prx({"why", "--op", "write", "new-file"}).exit_code, 0);
  EXPECT_EQ(prx({"why", "--op", "write", ".git/hooks"}).exit_code, 1);
  EXPECT_EQ(json({"why", "--json", "--op", "write", ".git/hooks"}).at("rule"), "protected");
}

/// The option that it names has the effect that it claims.
TEST_F(CliWhy, TheChangeItNamesIsOne) {
  const auto secret = dir_ / "home/.secret";
  EXPECT_EQ(prx({"run", "--", "cat", secret}).exit_code, 1);
  const auto answer = json({"why", "--json", secret});
  const std::string option = answer.at("option").as_string().c_str();
  ASSERT_TRUE(option.starts_with("--set '") && option.ends_with("'")) << option;
  const auto setting = option.substr(7, option.size() - 8);
  EXPECT_EQ(prx({"why", "--set", setting, secret}).exit_code, 0);
  const auto shown = prx({"run", "--set", setting, "--", "cat", secret});
  EXPECT_EQ(shown.out, "x") << shown.err;
}

TEST_F(CliWhy, TellsPathsProgramsAndHostsApart) {
  const auto kind_of = [this](const std::string& word) {
    return std::string(json({"why", "--json", word}).at("kind").as_string().c_str());
  };
  EXPECT_EQ(kind_of("ls"), "program");
  EXPECT_EQ(kind_of("own-tool"), "program");
  EXPECT_EQ(kind_of("key.pem"), "path");
  EXPECT_EQ(kind_of("./ls"), "path");
  EXPECT_EQ(kind_of("example.com:443"), "host");
  EXPECT_EQ(kind_of("nosuchprogram"), "program");
  EXPECT_EQ(prx({"why", "ls"}).exit_code, 0);
  EXPECT_EQ(prx({"why", "example.com"}).exit_code, 1);
  EXPECT_EQ(prx({"why", "--set", "security.sandbox.allow_network=true", "example.com"}).exit_code, 0);
  const auto own = prx({"why", "own-tool"});
  EXPECT_EQ(own.exit_code, 1);
  EXPECT_TRUE(has(own.out, "installed at " + (dir_ / "home/bin/own-tool"))) << own.out;
}

TEST_F(CliWhy, WithoutASandboxEverythingIsAllowed) {
  const auto answer = json({"why", "--json", "--set", "security.sandbox.backend=none", "--set",
                            "security.sandbox.hidden_paths=[]", dir_ / "home/.secret"});
  EXPECT_EQ(answer.at("allowed"), true);
  EXPECT_EQ(answer.at("rule"), "unconfined");
}

TEST_F(CliWhy, AWrongQuestionIsNoAnswer) {
  EXPECT_EQ(prx({"why"}).exit_code, 125);
  EXPECT_EQ(prx({"why", "a", "b"}).exit_code, 125);
  EXPECT_EQ(prx({"why", "--op", "delete", "a"}).exit_code, 125);
  EXPECT_EQ(prx({"why", "--workspace", "/", "a"}).exit_code, 125);
  EXPECT_EQ(prx({"why", "--workspace", dir_ / "none", "a"}).exit_code, 125);
}

TEST_F(CliWhy, ExplainShowsThePlanOfTheSandbox) {
  const auto plan = json({"explain", "--json", "--", "true"});
  EXPECT_EQ(text_of(plan.at("workspace").as_object().at("value")), dir_ / "home/ws");
  EXPECT_EQ(plan.at("sandbox").as_object().at("value"), "namespaces");
  EXPECT_EQ(plan.at("network").as_object().at("origin"), "security.sandbox.allow_network (built-in)");
  bool hidden = false;
  for (const auto& entry : plan.at("mounts").as_array()) {
    const auto& mount = entry.as_object();
    if (text_of(mount.at("target")) != dir_ / "home/ws/key.pem") continue;
    hidden = true;
    EXPECT_EQ(mount.at("access"), "hidden");
    EXPECT_EQ(text_of(mount.at("origin")), "security.sandbox.hidden_paths (" + config_ + ":2:1)");
  }
  EXPECT_TRUE(hidden);
  for (const auto* table : {"denied_calls", "landlock_rules", "limits"})
    EXPECT_TRUE(plan.at(table).is_array()) << table;
  EXPECT_FALSE(plan.at("denied_calls").as_array().empty());
}

/// What explain says of a limit is what the output of the command says.
TEST_F(CliWhy, TheLimitsOfExplainAreThoseOfTheOutput) {
  for (const auto* kind : {"namespaces", "none"}) {
    const auto backend = std::string("security.sandbox.backend=") + kind;
    const std::vector<std::string> settings{"--set", backend,
                                            "--set", "security.resources.max_file_size_mb=3",
                                            "--set", "security.sandbox.hidden_paths=[]"};
    std::vector<std::string> explain{"explain", "--json"};
    std::vector<std::string> run{"run", "--json"};
    for (auto* words : {&explain, &run}) {
      words->insert(words->end(), settings.begin(), settings.end());
      words->insert(words->end(), {"--", "true"});
    }
    const auto plan = json(explain);
    const auto output = json(run);
    std::size_t limits = 0;
    for (const auto& entry : plan.at("limits").as_array()) {
      const auto& limit = entry.as_object();
      const auto* by = output.at("enforced").as_object().if_contains(text_of(limit.at("name")));
      if (by == nullptr) continue;
      ++limits;
      EXPECT_EQ(text_of(limit.at("by")), text_of(*by)) << kind << " " << text_of(limit.at("name"));
    }
    EXPECT_EQ(limits, output.at("enforced").as_object().size()) << kind;
    EXPECT_GE(limits, 4U) << kind;
    const auto& size = plan.at("limits").as_array().at(4).as_object();
    EXPECT_EQ(text_of(size.at("value")), "3 MiB");
    EXPECT_EQ(text_of(size.at("origin")),
              "security.resources.max_file_size_mb (--set security.resources.max_file_size_mb=3)");
  }
}

TEST_F(CliWhy, PlacesThatAreProtectedAndNeverVisibleAreExplained) {
  const auto plan = json({"explain", "--json", "--", "true"});
  const auto has_row = [&](const char* table, const std::string& path) {
    const auto& rows = plan.at(table).as_array();
    return std::any_of(rows.begin(), rows.end(), [&](const boost::json::value& row) {
      return text_of(row.as_object().at("path")) == path && !text_of(row.as_object().at("origin")).empty();
    });
  };
  EXPECT_TRUE(has_row("watched_places", dir_ / "home/ws/.envrc"));
  EXPECT_FALSE(has_row("watched_places", dir_ / "home/ws/.git/hooks"));
  EXPECT_TRUE(has_row("never_visible", config_));
  EXPECT_TRUE(has_row("never_visible", "/var/run/docker.sock"));
  EXPECT_EQ(text_of(plan.at("quarantine").as_object().at("value")),
            dir_ / "home/.local/state/openprx/quarantine");
  EXPECT_EQ(json({"why", "--json", "--op", "write", "./.envrc"}).at("rule"), "quarantined");
  const auto planted = json({"run", "--json", "-c", "echo x > .envrc"});
  EXPECT_EQ(planted.at("quarantined").as_array().size(), 1U);
}

/// Every mount that explain names is there, and no other.
TEST_F(CliWhy, TheMountsOfExplainAreThoseOfTheSandbox) {
  std::set<std::string> planned{"/"};
  const auto plan = json({"explain", "--json", "--", "true"});
  for (const auto& entry : plan.at("mounts").as_array()) {
    const auto& mount = entry.as_object();
    const bool is_entry_only =
        mount.at("access") == "link" || text_of(mount.at("target")) == dir_ / "home/.gitconfig";
    if (!is_entry_only) planned.insert(mount.at("target").as_string().c_str());
  }
  const auto run = prx({"run", "-c", "cut -d' ' -f5 /proc/self/mountinfo"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::set<std::string> made;
  for (std::size_t begin = 0; begin < run.out.size();) {
    const auto end = run.out.find('\n', begin);
    made.insert(run.out.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const auto& point : planned) EXPECT_TRUE(made.contains(point)) << point << " was planned";
  for (const auto& point : made) {
    const bool below = std::any_of(planned.begin(), planned.end(), [&](const std::string& each) {
      return each != "/" && point.starts_with(each + "/");  // the host has it mounted there
    });
    EXPECT_TRUE(planned.contains(point) || below) << point << " was not planned";
  }
}

TEST_F(CliWhy, AFailureThatTheSandboxExplainsIsInTheReport) {
  const auto refused = json({"run", "--json", "-c", "cat ~/.secret; echo x > .git/hooks/a"});
  EXPECT_EQ(refused.at("exit_code"), 1);
  std::vector<std::string> rules;
  for (const auto& entry : refused.at("violations").as_array()) {
    EXPECT_FALSE(entry.as_object().at("text").as_string().empty());
    rules.emplace_back(entry.as_object().at("rule").as_string().c_str());
  }
  EXPECT_EQ(rules, (std::vector<std::string>{"protected", "private"}));
  const auto moved = json({"run", "--json", "-c", "mv .git away"});
  ASSERT_EQ(moved.at("violations").as_array().size(), 1U) << moved;
  EXPECT_EQ(moved.at("violations").as_array().at(0).as_object().at("rule"), "protected");
  for (const auto* line : {"cat nosuch", "false", "chmod 0 key.pem; exit 3"})
    EXPECT_TRUE(json({"run", "--json", "-c", line}).at("violations").as_array().empty()) << line;
  EXPECT_TRUE(json({"run", "--json", "-c", "cat ~/.secret; true"}).at("violations").as_array().empty())
      << "a command that succeeds has nothing to explain";
  const auto report = prx({"run", "--report", dir_ / "report", "-c", "cat ~/.secret"});
  EXPECT_TRUE(has(report.err, "prx: sandbox: reading " + (dir_ / "home/.secret"))) << report.err;
}

TEST_F(CliWhy, AProgramOrDirectoryThatOnlyTheHostHasIsNamed) {
  const auto program = prx({"run", "--", "own-tool"});
  EXPECT_EQ(program.exit_code, 127);
  EXPECT_TRUE(has(program.err, "it is installed at " + (dir_ / "home/bin/own-tool"))) << program.err;
  EXPECT_TRUE(has(program.err, "hint: add \"" + (dir_ / "home/bin") + "\"")) << program.err;
  EXPECT_FALSE(has(prx({"run", "--", "nosuchprogram"}).err, "sandbox"));
  const auto shell = json({"run", "--json", "-c", "own-tool"});
  EXPECT_EQ(shell.at("exit_code"), 127);
  ASSERT_EQ(shell.at("violations").as_array().size(), 1U);
  const auto directory = prx({"run", "-w", dir_ / "outside", "--", "true"});
  EXPECT_EQ(directory.exit_code, 125);
  EXPECT_TRUE(has(directory.err, "--workspace " + (dir_ / "outside"))) << directory.err;
}

}  // namespace
}  // namespace prx::test
