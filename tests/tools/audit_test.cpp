#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

#include "audit/chain_file.hpp"
#include "audit/verify.hpp"
#include "toolbox_fixture.hpp"

namespace prx::test {
namespace {

class AuditLog : public ToolboxTest {
 protected:
  std::string path() { return dir_ / "log/audit.jsonl"; }
  std::string settings(const std::string& more = "") {
    return "[security.audit]\nenabled = true\npath = \"" + path() + "\"\n" + more;
  }
  /// `count` records of one writer.
  void write(int count, audit::FileOptions options = {}) {
    options.path = path();
    audit::ChainFile file(options);
    for (int i = 0; i < count; ++i) ASSERT_TRUE(file.append(record(i)));
  }
  static io::Json record(int i) {
    auto json = io::Json::object();
    json.set("kind", "test").set("i", i);
    return json;
  }
  audit::Verification verified() {
    auto checked =
        audit::verify(path(), [&](const audit::Record& one, std::string_view) { records_.push_back(one); });
    EXPECT_TRUE(checked) << checked.error().message();
    return checked.value_or(audit::Verification{0, {"unreadable"}, {}});
  }
  std::vector<std::string> lines() {
    std::ifstream stream(path());
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }
  void rewrite(const std::vector<std::string>& all) {
    std::ofstream stream(path(), std::ios::trunc);
    for (const auto& line : all) stream << line << "\n";
  }
  std::vector<audit::Record> records_;
};

TEST_F(AuditLog, ADecisionBeforeAndAnExecutionAfter) {
  auto config = load(settings("[security.tool_policy.tools]\n\"shell(touch:*)\" = \"deny\"\n"));
  ASSERT_TRUE(config);
  auto runtime = create_runtime(*config, {.caller = "agent-7"});
  ASSERT_TRUE(runtime);
  // The line is there before the command runs.
  const auto seen = (*runtime)->execute({.command = ShellLine{"grep -c decision " + path()}});
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->out.bytes, "1\n");
  EXPECT_FALSE((*runtime)->execute({.command = ShellLine{"touch x"}}));
  EXPECT_FALSE((*runtime)->execute({.command = Program{"no-such-program"}}));
  auto started = (*runtime)->start({.command = ShellLine{"exit 3"}}, {});
  ASSERT_TRUE(started);
  EXPECT_TRUE(started->wait());
  const auto checked = verified();
  EXPECT_TRUE(checked.problems.empty());
  ASSERT_EQ(records_.size(), 7U) << read_file(path());
  const auto text = [&](std::size_t at, const char* key) { return records_[at].json[key].text(); };
  EXPECT_EQ(text(0, "kind"), "decision");
  EXPECT_EQ(text(0, "caller"), "agent-7");
  EXPECT_EQ(text(0, "rule"), "allow");
  EXPECT_EQ(text(1, "kind"), "execution");
  EXPECT_EQ(text(0, "call"), text(1, "call"));
  EXPECT_EQ(text(1, "ending"), "exited");
  EXPECT_EQ(text(1, "backend"), "native");
  EXPECT_FALSE(records_[2].json["admitted"].boolean());
  EXPECT_EQ(text(2, "key"), "security.tool_policy.tools.\"shell(touch:*)\"");
  EXPECT_EQ(records_[4].json["error"]["kind"].text(), "not_found");
  EXPECT_EQ(records_[6].json["exit_code"].number(), 3);
}

TEST_F(AuditLog, ASecretIsNotInIt) {
  const std::string canary = "canary-9f8e7d6c";
  ::setenv("PRX_TEST_API_TOKEN", (canary + "-host").c_str(), 1);
  auto made =
      make(settings("[tools.custom.t]\ncommand = \"echo\"\nargs = [\"{password}\", \"{note}\"]\n"
                    "env = { DEPLOY_TOKEN = \"" +
                    canary +
                    "-env\" }\n"
                    "[tools.custom.t.parameters.properties]\npassword = { type = \"string\" }\nnote = { type "
                    "= \"string\" }\n"));
  ::unsetenv("PRX_TEST_API_TOKEN");
  ASSERT_TRUE(made) << made.error().message();
  const auto result = made->call({.tool = "t",
                                  .arguments = R"({"password":"w0rd-)" + canary + R"(","note":"plain )" +
                                               canary + "-host " + canary + R"(-env end"})"});
  EXPECT_TRUE(result.success) << result.output;
  for (const std::string& command :
       {"curl -H 'Authorization: Bearer " + canary + "' x", "x --token " + canary, "x --api-key=" + canary,
        "API_KEY=" + canary + " x", "curl https://me:" + canary + "@host/",
        "echo '{\"secret\": \"" + canary + "\"}'", std::string("echo ghp_") + canary + canary}) {
    (void)made->call({.tool = "shell", .arguments = "{\"command\":\"true; : " + [&] {
                        std::string escaped;
                        for (const char c : command)
                          escaped += c == '"' ? std::string("\\\"") : std::string(1, c);
                        return escaped;
                      }() + "\"}"});
  }
  const std::string log = read_file(path());
  EXPECT_NE(log.find("plain [redacted] [redacted] end"), std::string::npos) << log.substr(0, 1500);
  EXPECT_NE(log.find("\"password\":\"[redacted]\""), std::string::npos);
  const auto at = log.find(canary);
  EXPECT_EQ(at, std::string::npos) << log.substr(at > 200 ? at - 200 : 0, 400);
}

TEST_F(AuditLog, EachKindOfTamperingIsFound) {
  write(6);
  const auto good = lines();
  const std::string head = read_file(audit::head_path(path()));
  EXPECT_TRUE(verified().problems.empty());
  const auto found = [&](std::vector<std::string> all) {
    rewrite(all);
    return !verified().problems.empty();
  };
  EXPECT_FALSE(found(good));
  for (std::size_t at = 0; at < good.size(); ++at) {
    auto changed = good;
    const auto digit = changed[at].find("\"i\":") + 4;
    changed[at][digit] = '7';
    EXPECT_TRUE(found(changed)) << "changed " << at;
    auto dropped = good;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(at));
    // The first ones gone could be a rotation's doing: that is a note.
    if (at > 0) {
      EXPECT_TRUE(found(dropped)) << "dropped " << at;
    }
    if (at + 1 < good.size()) {
      auto swapped = good;
      std::swap(swapped[at], swapped[at + 1]);
      EXPECT_TRUE(found(swapped)) << "swapped " << at;
    }
    EXPECT_TRUE(found({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(at)})) << "cut at " << at;
  }
  auto invented = good;
  invented.insert(invented.begin() + 2, "{\"kind\":\"test\"}");
  EXPECT_TRUE(found(invented));
  // And the next writer does not paper over it.
  rewrite({good.begin(), good.begin() + 3});
  write(2);
  EXPECT_FALSE(verified().problems.empty());
}

TEST_F(AuditLog, EightProcessesWriteOneChain) {
  std::vector<pid_t> writers;
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      audit::ChainFile file({.path = path()});
      for (int n = 0; n < 100; ++n) {
        if (!file.append(record(n))) ::_exit(1);
      }
      ::_exit(0);
    }
    writers.push_back(pid);
  }
  for (const pid_t pid : writers) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto checked = verified();
  EXPECT_TRUE(checked.problems.empty()) << checked.problems.front();
  EXPECT_EQ(checked.records, 800U);
}

TEST_F(AuditLog, ThreadsAndAForkedChildShareOneChain) {
  audit::ChainFile file({.path = path()});
  ASSERT_TRUE(file.append(record(0)));
  const pid_t child = ::fork();
  if (child == 0) {
    for (int n = 0; n < 200; ++n) {
      if (!file.append(record(n))) ::_exit(1);
    }
    ::_exit(0);
  }
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) EXPECT_TRUE(file.append(record(n)));
    });
  }
  threads.clear();
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const auto checked = verified();
  EXPECT_TRUE(checked.problems.empty());
  EXPECT_EQ(checked.records, 601U);
}

TEST_F(AuditLog, AWriterKilledAtAnyMomentLeavesAChain) {
  for (int round = 0; round < 40; ++round) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      audit::ChainFile file({.path = path(), .max_size = 20'000, .keep = 100});
      for (;;) {
        if (!file.append(record(round))) ::_exit(1);
      }
    }
    ::usleep(1000U + static_cast<unsigned>(round) * 137U);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    if (::access(path().c_str(), F_OK) != 0) continue;
    const auto checked = verified();
    ASSERT_TRUE(checked.problems.empty()) << round << ": " << checked.problems.front();
  }
  write(1);
  const auto checked = verified();
  EXPECT_TRUE(checked.problems.empty());
  EXPECT_GT(checked.records, 40U);
}

TEST_F(AuditLog, ATornLineAndALineTheHeadDoesNotKnowAreTakenOver) {
  write(3);
  const auto all = lines();
  audit::ChainEnd end{3, audit::open_record(all.back())->hash};
  audit::ChainEnd after;
  {
    std::ofstream stream(path(), std::ios::app);
    stream << audit::seal_record(record(3), end, after) << "\n" << R"({"n":5,"kind":"te)";
  }
  EXPECT_TRUE(verified().problems.empty());
  write(2);
  records_.clear();
  const auto checked = verified();
  EXPECT_TRUE(checked.problems.empty()) << checked.problems.front();
  ASSERT_EQ(records_.size(), 7U);
  EXPECT_EQ(records_[4].json["kind"].text(), "recovery");
  EXPECT_EQ(records_[4].json["bytes"].number(), 17);
  // A line that only looks torn is a changed one.
  auto changed = lines();
  changed[4] += "x";
  rewrite(changed);
  EXPECT_FALSE(verified().problems.empty());
}

TEST_F(AuditLog, AFullFileBecomesAnotherAndTheChainGoesOn) {
  write(100, {.max_size = 2000, .keep = 3});
  EXPECT_EQ(::access((path() + ".3").c_str(), F_OK), 0);
  EXPECT_NE(::access((path() + ".4").c_str(), F_OK), 0);
  const auto checked = verified();
  EXPECT_TRUE(checked.problems.empty());
  EXPECT_EQ(checked.notes.size(), 1U);
  EXPECT_GT(checked.records, 20U);
  std::ofstream(path() + ".2", std::ios::trunc) << "";
  EXPECT_FALSE(verified().problems.empty());
}

TEST_F(AuditLog, WhatCannotBeWrittenDownDoesNotRun) {
  auto config = load(settings());
  ASSERT_TRUE(config);
  auto runtime = create_runtime(*config);
  ASSERT_TRUE(runtime);
  ASSERT_TRUE((*runtime)->execute({.command = ShellLine{"true"}}));
  const auto before = lines();
  // A limit of file sizes is as good as a full disk, and needs no other user.
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{read_file(path()).size() + 20, limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto denied = (*runtime)->execute({.command = ShellLine{"touch " + (dir_ / "ran")}});
  ::setrlimit(RLIMIT_FSIZE, &limit);
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().kind, ErrorKind::exhausted);
  EXPECT_EQ(denied.error().step, "audit");
  EXPECT_NE(::access((dir_ / "ran").c_str(), F_OK), 0);
  EXPECT_EQ(lines(), before);
  EXPECT_TRUE((*runtime)->execute({.command = ShellLine{"touch " + (dir_ / "ran")}}));
  EXPECT_EQ(::access((dir_ / "ran").c_str(), F_OK), 0);
  EXPECT_TRUE(verified().problems.empty());
}

TEST_F(AuditLog, BlockWaitsForRoom) {
  write(1);
  audit::ChainFile file({.path = path(), .waits_for_room = true});
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{read_file(path()).size() + 20, limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::jthread frees([&] {
    ::usleep(300'000);
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_TRUE(file.append(record(1)));
  EXPECT_EQ(verified().records, 2U);
}

}  // namespace
}  // namespace prx::test
