#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "support/artefacts.hpp"
#include "support/program.hpp"
#include "toolbox_fixture.hpp"

namespace prx::test {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

constexpr const char* kRules = R"toml(
[security.tool_policy]
ask_timeout_secs = 1
[security.tool_policy.tools]
"shell(touch:*)" = "deny"
"shell(printf:*)" = "supervised"
quiet = "deny"
[tools.custom.quiet]
command = "touch"
args = ["ran-quiet"]
[tools.custom.loud]
command = "touch"
args = ["ran-loud"]
)toml";

class Guarded : public ToolboxTest {
 protected:
  std::shared_ptr<RuntimeAdapter> runtime(Supervisor supervisor = {}, const std::string& more = "") {
    auto config = load(kRules + more);
    EXPECT_TRUE(config) << config.error().message();
    config_ = *config;
    auto made = create_runtime(config_, {.supervisor = std::move(supervisor)});
    EXPECT_TRUE(made) << made.error().message();
    return std::move(*made);
  }
  ExecutionRequest line(const std::string& text) {
    return {.command = ShellLine{text}, .working_dir = dir_.path()};
  }
  bool ran(const std::string& name) { return ::access((dir_ / name).c_str(), F_OK) == 0; }
  Config config_;
};

TEST_F(Guarded, ADeniedRequestRunsInNoWayAndItsControlDoes) {
  const auto made = runtime();
  const auto denied = made->execute(line("touch a"));
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().kind, ErrorKind::denied);
  EXPECT_EQ(denied.error().step, "policy");
  EXPECT_NE(denied.error().hint.find("shell(touch:*)"), std::string::npos) << denied.error().hint;
  EXPECT_FALSE(made->start(line("env touch b"), {}));
  EXPECT_FALSE(made->execute("touch", {dir_ / "c"}, {}, dir_.path(), 5s));
  for (const char* name : {"a", "b", "c"}) EXPECT_FALSE(ran(name)) << name;
  EXPECT_TRUE(made->execute(line("echo > d")));
  EXPECT_TRUE(ran("d"));

  auto toolbox = Toolbox::create(config_, made);
  ASSERT_TRUE(toolbox);
  EXPECT_EQ(toolbox->call({.tool = "quiet"}).failure.value_or(Error{}).kind, ErrorKind::denied);
  EXPECT_EQ(toolbox->call({.tool = "shell", .arguments = R"({"command":"touch e"})"})
                .failure.value_or(Error{})
                .kind,
            ErrorKind::denied);
  EXPECT_TRUE(toolbox->call({.tool = "loud"}).success);
  EXPECT_FALSE(ran("ran-quiet"));
  EXPECT_FALSE(ran("e"));
  EXPECT_TRUE(ran("ran-loud"));
}

TEST_F(Guarded, WhatIsSupervisedIsDeniedWhereNobodyIsAsked) {
  const auto result = runtime()->execute(line("printf x > f"));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().detail.find("there is nobody"), std::string::npos) << result.error().detail;
  EXPECT_FALSE(ran("f"));
}

TEST_F(Guarded, AnAnswerDecides) {
  std::vector<SupervisedCall> asked;
  bool allow = true;
  const auto made = runtime([&](const SupervisedCall& call, const SupervisedAnswer& answer) {
    asked.push_back(call);
    allow ? answer.allow() : answer.deny();
    answer.allow();  // the first one counts
  });
  EXPECT_TRUE(made->execute(line("printf x > g")));
  EXPECT_TRUE(ran("g"));
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].tool, "shell");
  EXPECT_EQ(asked[0].command, "printf x > g");
  EXPECT_EQ(asked[0].reason, "printf x");
  EXPECT_EQ(asked[0].time_left, 1s);
  allow = false;
  EXPECT_FALSE(made->execute(line("printf x > h")));
  EXPECT_FALSE(ran("h"));
  EXPECT_TRUE(made->execute(line("echo")));
  EXPECT_EQ(asked.size(), 2U);
}

TEST_F(Guarded, AnAnswerMayComeFromElsewhereOrNotAtAll) {
  std::jthread other;
  const auto later = runtime([&](const SupervisedCall&, SupervisedAnswer answer) {
    other = std::jthread([answer = std::move(answer)] { answer.allow(); });
  });
  EXPECT_TRUE(later->execute(line("printf x")));
  const auto never = runtime([](const SupervisedCall&, const SupervisedAnswer&) {});
  const auto dropped = never->execute(line("printf x"));
  ASSERT_FALSE(dropped);
  EXPECT_NE(dropped.error().detail.find("said no"), std::string::npos) << dropped.error().detail;

  std::vector<SupervisedAnswer> kept;
  const auto late =
      runtime([&](const SupervisedCall&, SupervisedAnswer answer) { kept.push_back(std::move(answer)); });
  const auto begun = std::chrono::steady_clock::now();
  const auto result = late->execute(line("printf x > i"));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 1s);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().detail.find("nobody answered in time"), std::string::npos)
      << result.error().detail;
  kept.front().allow();
  EXPECT_FALSE(ran("i"));
}

TEST_F(Guarded, ARuleThatIsNoneIsAnErrorOfTheConfiguration) {
  auto config = load("[security.tool_policy.tools]\n\"shell(\" = \"deny\"\n");
  ASSERT_TRUE(config);
  const auto made = create_runtime(*config);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().step, "policy");
}

}  // namespace
}  // namespace prx::test
