#include <gtest/gtest.h>

#include "core/request_plan.hpp"

namespace prx::core {
namespace {

using namespace std::chrono_literals;
using protocol::StdioKind;

Settings some_settings() {
  Settings settings;
  settings.backend = "native";
  settings.shell = "/bin/some-shell";
  settings.base_env = {{"PATH", "/bin"}, {"WORD", "base"}};
  settings.default_timeout = 60s;
  settings.tool_timeouts = {{"slow", 300s}, {"endless", 0s}};
  settings.max_output = Bytes{1000};
  return settings;
}

ExecutionRequest shell(std::string text) {
  ExecutionRequest request;
  request.command = ShellLine{std::move(text)};
  return request;
}

RequestPlan plan(const ExecutionRequest& request) {
  return plan_request(request, some_settings(), "/current").value();
}
Error refusal(const ExecutionRequest& request) {
  return plan_request(request, some_settings(), "/current").error();
}

TEST(RequestPlan, AShellLineInFull) {
  const auto made = plan(shell("echo hi"));
  EXPECT_EQ(made.fields.file, "/bin/some-shell");
  EXPECT_EQ(made.fields.argv, (std::vector<std::string>{"/bin/some-shell", "-c", "echo hi"}));
  EXPECT_EQ(made.fields.env, (std::vector<std::string>{"PATH=/bin", "WORD=base"}));
  EXPECT_EQ(made.fields.working_dir, "/current");
  EXPECT_EQ(made.fields.stdio[0], StdioKind::null);
  EXPECT_EQ(made.fields.stdio[1], StdioKind::passed);
  EXPECT_EQ(made.fields.stdio[2], StdioKind::passed);
  EXPECT_EQ(made.fields.timeout, 60s);
  EXPECT_EQ(made.fields.grace, 500ms);
  EXPECT_EQ(made.timeout, 60s);
  EXPECT_EQ(made.max_output, 1000U);
}

TEST(RequestPlan, AShellLineHasItsOptionsBeforeAndItsArgumentsBehind) {
  ExecutionRequest request;
  request.command = ShellLine{"echo $1", {"-e", "-o", "pipefail"}, {"name", "one"}};
  EXPECT_EQ(plan(request).fields.argv, (std::vector<std::string>{"/bin/some-shell", "-e", "-o", "pipefail",
                                                                 "-c", "echo $1", "name", "one"}));
}

TEST(RequestPlan, AShellLineIsNeverTakenForAnOption) {
  for (const std::string line : {"--version", "-x", "+e"}) {
    EXPECT_EQ(plan(shell(line)).fields.argv, (std::vector<std::string>{"/bin/some-shell", "-c", "--", line}));
  }
}

TEST(RequestPlan, AProgramIsItsOwnFirstArgument) {
  ExecutionRequest request;
  request.command = Program{"tool", {"-x", "", "a b"}};
  request.env = {{"WORD", "request"}, {"NEW", "1"}};
  request.working_dir = "/elsewhere";
  request.input = StdinBytes{"x"};
  request.max_output = Bytes{0};
  const auto made = plan(request);
  EXPECT_EQ(made.fields.file, "tool");
  EXPECT_EQ(made.fields.argv, (std::vector<std::string>{"tool", "-x", "", "a b"}));
  EXPECT_EQ(made.fields.env, (std::vector<std::string>{"PATH=/bin", "WORD=request", "NEW=1"}));
  EXPECT_EQ(made.fields.working_dir, "/elsewhere");
  EXPECT_EQ(made.fields.stdio[0], StdioKind::passed);
  EXPECT_EQ(made.max_output, 0U);
}

TEST(RequestPlan, ItsStreamsFitEitherKindOfSlot) {
  auto request = shell("x");
  auto made = plan(request);
  fit_streams(made.fields, SlotStreams::frames);
  EXPECT_EQ(made.fields.stdio[0], StdioKind::null);
  EXPECT_EQ(made.fields.stdio[1], StdioKind::framed);
  EXPECT_EQ(made.fields.stdio[2], StdioKind::framed);
  EXPECT_FALSE(made.fields.pass_terminal);
  fit_streams(made.fields, SlotStreams::descriptors);
  EXPECT_EQ(protocol::encode_request_frames(made.fields),
            protocol::encode_request_frames(plan(request).fields));

  request.terminal = Terminal{};
  made = plan(request);
  fit_streams(made.fields, SlotStreams::frames);
  for (const auto kind : made.fields.stdio) EXPECT_EQ(kind, StdioKind::terminal);
  EXPECT_FALSE(made.fields.pass_terminal);
}

TEST(RequestPlan, ASlotMaySendWhatItWasAskedFor) {
  using protocol::ChannelId;
  using protocol::FrameType;
  const auto accepts = [](const protocol::RequestFields& fields, FrameType type, ChannelId channel,
                          std::uint32_t length) {
    auto order = frame_order_for(fields);
    return order.accept({FrameType::hello, ChannelId::control, 0, 4}) &&
           order.accept({type, channel, 0, length});
  };
  auto plain = plan(shell("x"));
  EXPECT_FALSE(accepts(plain.fields, FrameType::data, ChannelId::out, 1));
  fit_streams(plain.fields, SlotStreams::frames);
  EXPECT_TRUE(accepts(plain.fields, FrameType::data, ChannelId::out, 1));
  EXPECT_TRUE(accepts(plain.fields, FrameType::data, ChannelId::err, 1));
  EXPECT_FALSE(accepts(plain.fields, FrameType::credit, ChannelId::in, 4));

  auto request = shell("x");
  request.terminal = Terminal{};
  auto terminal = plan(request);
  EXPECT_TRUE(accepts(terminal.fields, FrameType::terminal, ChannelId::control, 0));
  fit_streams(terminal.fields, SlotStreams::frames);
  EXPECT_FALSE(accepts(terminal.fields, FrameType::terminal, ChannelId::control, 0));
  EXPECT_TRUE(accepts(terminal.fields, FrameType::credit, ChannelId::in, 4));
  EXPECT_FALSE(accepts(terminal.fields, FrameType::data, ChannelId::err, 1));
}

TEST(RequestPlan, TheSameGivesTheSame) {
  const auto first = plan(shell("x"));
  const auto second = plan(shell("x"));
  EXPECT_EQ(protocol::encode_request_frames(first.fields), protocol::encode_request_frames(second.fields));
}

TEST(RequestPlan, WorkingDirectories) {
  auto request = shell("x");
  request.working_dir = "below/it";
  EXPECT_EQ(plan(request).fields.working_dir, "/current/below/it");
  const auto nowhere = plan_request(request, some_settings(), "");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, ErrorKind::not_found);
  EXPECT_EQ(nowhere.error().step, "chdir");
  request.working_dir = "/absolute";
  EXPECT_EQ(plan_request(request, some_settings(), "").value().fields.working_dir, "/absolute");
}

TEST(RequestPlan, Timeouts) {
  auto request = shell("x");
  request.tool = "slow";
  EXPECT_EQ(plan(request).timeout, 300s);
  request.tool = "endless";
  EXPECT_EQ(plan(request).timeout, 0s);
  EXPECT_EQ(plan(request).fields.timeout, 0s);
  request.tool = "other";
  EXPECT_EQ(plan(request).timeout, 60s);
  request.timeout = 1ms;
  EXPECT_EQ(plan(request).timeout, 1ms);
  request.timeout = 0ms;
  EXPECT_EQ(plan(request).timeout, 0ms);
  request.timeout = -1ms;
  EXPECT_EQ(refusal(request).kind, ErrorKind::invalid_request);
  EXPECT_EQ(refusal(request).step, "timeout");
  request.timeout = std::chrono::milliseconds::max();
  EXPECT_EQ(plan(request).timeout, 0ms);
  request.timeout = std::chrono::hours(24 * 36'525);
  EXPECT_EQ(plan(request).timeout, *request.timeout);
}

TEST(RequestPlan, ATerminalTakesAllThree) {
  auto request = shell("x");
  request.terminal = Terminal{33, 99};
  const auto made = plan(request);
  for (const auto kind : made.fields.stdio) EXPECT_EQ(kind, StdioKind::terminal);
  EXPECT_EQ(made.fields.rows, 33);
  EXPECT_EQ(made.fields.columns, 99);
  EXPECT_TRUE(made.fields.pass_terminal);
  request.input = StdinStream{};
  EXPECT_EQ(plan(request).fields.stdio[0], StdioKind::terminal);
  request.input = StdinFd{0};
  EXPECT_EQ(refusal(request).step, "terminal");
  request.input = NoStdin{};
  request.err = OutputFd{2};
  EXPECT_EQ(refusal(request).step, "terminal");
}

TEST(RequestPlan, NulAndNothingAreRefused) {
  ExecutionRequest request;
  request.command = Program{"", {}};
  EXPECT_EQ(refusal(request).step, "exec");
  request.command = Program{"a", {std::string("\0", 1)}};
  EXPECT_EQ(refusal(request).step, "exec");
  EXPECT_EQ(refusal(shell(std::string("\0", 1))).kind, ErrorKind::invalid_request);
  request = shell("x");
  request.working_dir = std::string("/a\0b", 4);
  EXPECT_EQ(refusal(request).step, "chdir");
  EXPECT_EQ(refusal(request).subject, "/a");
  request = shell("x");
  request.env = {{"A=B", ""}};
  EXPECT_EQ(refusal(request).step, "env");
}

}  // namespace
}  // namespace prx::core
