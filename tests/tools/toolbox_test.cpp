#include <filesystem>

#include "toolbox_fixture.hpp"

namespace prx::test {
namespace {

constexpr const char* kTools = R"(
[tools.custom.greet]
command = "echo"
args = ["hello", "--", "{name}", "{times}"]
description = "Greets"
[tools.custom.greet.parameters]
required = ["name"]
[tools.custom.greet.parameters.properties.name]
type = "string"
[tools.custom.greet.parameters.properties.times]
type = "integer"
default = 2

[tools.custom.list]
command = "printf"
args = ["<%s>", "{items}", "--x={x}", "{{}}"]
[tools.custom.list.parameters.properties.items]
type = "array"
items = { type = "string" }
[tools.custom.list.parameters.properties.x]
type = "string"

[tools.custom.mirror]
command = "cat"
input = "json"
env = { GREETING = "hi" }
[tools.custom.mirror.parameters.properties.a]
type = "integer"
)";

class ToolCalls : public ToolboxTest {
 protected:
  void SetUp() override {
    auto made = make(kTools);
    ASSERT_TRUE(made) << made.error().message();
    toolbox_ = std::make_unique<Toolbox>(std::move(*made));
  }
  ToolResult call(const std::string& tool, const std::string& arguments) {
    return toolbox_->call({.tool = tool, .arguments = arguments});
  }
  /// The error's step and subject, empty where the call ran.
  Error refusal(const std::string& tool, const std::string& arguments) {
    const auto result = call(tool, arguments);
    EXPECT_TRUE(result.failure) << tool << " " << arguments.substr(0, 80);
    EXPECT_FALSE(result.execution);
    EXPECT_FALSE(result.success);
    return result.failure.value_or(Error{});
  }
  std::unique_ptr<Toolbox> toolbox_;
};

TEST_F(ToolCalls, ACallRunsWithItsArgumentsAndDefaults) {
  const auto result = call("greet", R"({"name":"w$(id) *; 'x'"})");
  EXPECT_TRUE(result.success) << result.error;
  EXPECT_EQ(result.output, "hello -- w$(id) *; 'x' 2\n");
  ASSERT_TRUE(result.execution);
  EXPECT_EQ(result.execution->backend, "native");
}

TEST_F(ToolCalls, AnArrayBecomesArgumentsAndWhatIsMissingIsLeftOut) {
  EXPECT_EQ(call("list", R"({"items":["a b","c"],"x":"-1"})").output, "<a b><c><--x=-1><{}>");
  EXPECT_EQ(call("list", "{}").output, "<{}>");
}

TEST_F(ToolCalls, AnArgumentIsNoOptionUnlessTheTemplateSaysSo) {
  EXPECT_EQ(refusal("list", R"({"items":["-v"]})").subject, "/items");
  EXPECT_TRUE(call("greet", R"({"name":"--help"})").success);
}

TEST_F(ToolCalls, AToolReadsItsCallOnStdin) {
  EXPECT_EQ(call("mirror", R"({ "a" : 3 })").output, "{\"a\":3}\n");
}

TEST_F(ToolCalls, TheShellTakesALineADirectoryInputAndATimeout) {
  std::filesystem::create_directory(dir_.path() + "/sub");
  EXPECT_EQ(
      call("shell", R"({"command":"cat | tr a-z A-Z; basename \"$PWD\"","stdin":"abc","cwd":"sub"})").output,
      "ABCsub\n");
  const auto late =
      call("shell", R"({"command":"echo begun; exec cat /dev/zero > /dev/null","timeout":0.2})");
  EXPECT_FALSE(late.success);
  EXPECT_NE(late.output.find("begun\n[timed out after 0.2 s"), std::string::npos) << late.output;
}

TEST_F(ToolCalls, AFailureSaysHowItEndedAndWhatWasPrinted) {
  const auto result = call("shell", R"({"command":"echo out; echo err >&2; exit 3"})");
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.error, "exit code 3");
  EXPECT_EQ(result.output, "out\n[stderr]\nerr\n[exit code 3]");
}

TEST_F(ToolCalls, LongOutputIsCutAndSaysHowToGetTheRest) {
  const auto result = call("shell", R"({"command":"head -c 100000 /dev/zero | tr '\\0' x"})");
  EXPECT_TRUE(result.success);
  EXPECT_LT(result.output.size(), 34'000U);
  EXPECT_NE(result.output.find("67232"), std::string::npos);
  EXPECT_NE(result.output.find("send the output to a file"), std::string::npos);
  EXPECT_EQ(result.execution->out.bytes.size(), 100'000U);
}

TEST_F(ToolCalls, ABadCallIsAnErrorToActOnAndRunsNothing) {
  const auto unknown = refusal("gret", "{}");
  EXPECT_EQ(unknown.kind, ErrorKind::not_found);
  EXPECT_EQ(unknown.hint, "did you mean greet?");
  EXPECT_EQ(refusal("greet", R"({"nmae":"x"})").hint, "did you mean \"name\"?");
  EXPECT_EQ(refusal("greet", "{}").subject, "/name");
  EXPECT_EQ(refusal("greet", R"({"name":1})").subject, "/name");
  EXPECT_NE(refusal("greet", R"({"name":1})").hint.find("\"properties\""), std::string::npos);
  EXPECT_NE(refusal("greet", R"({"name":"a","name":"b"})").detail.find("twice"), std::string::npos);
  EXPECT_EQ(refusal("greet", "[]").detail, "the arguments of a call are a JSON object");
  EXPECT_NE(refusal("greet", "{\"name\":\"\xc3\"}").detail.find("not JSON"), std::string::npos);
  EXPECT_NE(refusal("greet", R"({"name":)" + std::string(100'000, '[')).detail.find("deep"),
            std::string::npos);
  EXPECT_NE(refusal("greet", std::string(100U << 20U, ' ')).detail.find("more than"), std::string::npos);
  EXPECT_EQ(refusal("greet", R"({"name":"a\u0000b"})").kind, ErrorKind::invalid_request);
}

TEST_F(ToolCalls, TheSchemaIsThatOfEachApi) {
  const std::string greet[] = {"greet"};
  const auto openai = toolbox_->schema(SchemaFormat::openai, greet);
  ASSERT_TRUE(openai);
  EXPECT_TRUE(openai->starts_with(
      R"([{"type":"function","function":{"name":"greet","description":"Greets","parameters":{)"));
  EXPECT_NE(toolbox_->schema(SchemaFormat::anthropic).value_or("").find(R"("input_schema":{)"),
            std::string::npos);
  EXPECT_NE(toolbox_->schema(SchemaFormat::mcp).value_or("").find(R"("inputSchema":{)"), std::string::npos);
  const std::string none[] = {"gret"};
  EXPECT_FALSE(toolbox_->schema(SchemaFormat::mcp, none));
}

class BadTools : public ToolboxTest {};

TEST_F(BadTools, AToolThatCanNeverBeCalledIsRefused) {
  const struct {
    const char* text;
    const char* subject;
  } cases[] = {
      {"[tools.custom.shell]\ncommand = \"x\"", "tools.custom.shell"},
      {"[tools.custom.\"a b\"]\ncommand = \"x\"", "tools.custom.a b"},
      {"[tools.custom.a]\ncommand = \"x\"\nargs = [\"{b}\"]", "tools.custom.a.args"},
      {"[tools.custom.a]\ncommand = \"x\"\nargs = [\"{\"]", "tools.custom.a.args"},
      {"[tools.custom.a]\ncommand = \"x\"\nparameters = { type = \"array\" }", "tools.custom.a.parameters"},
      {"[tools.custom.a]\ncommand = \"x\"\nparameters = { unevaluatedProperties = false }",
       "tools.custom.a.parameters"},
  };
  for (const auto& one : cases) {
    const auto made = make(one.text);
    EXPECT_FALSE(made) << one.text;
    if (!made) {
      EXPECT_EQ(made.error().subject, one.subject) << made.error().message();
    }
  }
}

TEST_F(BadTools, AToolNeverRunsOnAnotherBackendThanItsOwn) {
  auto made = make(
      "[tools.custom.m]\ntype = \"wasm\"\nmodule = \"none\"\n"
      "[tools.custom.d]\ntype = \"docker\"\ncommand = \"true\"\n"
      "[runtime.docker]\nsocket = \"/nonexistent/docker.sock\"\n"
      "[tools.custom.n]\ntype = \"native\"\ncommand = \"true\"\n");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(made->call({.tool = "n"}).success);
  for (const char* tool : {"m", "d"}) {
    const auto result = made->call({.tool = tool});
    EXPECT_TRUE(result.failure) << tool;
    EXPECT_FALSE(result.execution) << tool;
  }
  EXPECT_TRUE(made->call({.tool = "n"}).success);
}

}  // namespace
}  // namespace prx::test
