#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/prx_program.hpp"

namespace prx::test {
namespace {

ProgramResult tool(const std::vector<std::string>& args, std::optional<std::string> input = {}) {
  std::vector<std::string> all{"tool"};
  all.insert(all.end(), args.begin(), args.end());
  ProgramOptions options;
  options.stdin_bytes = std::move(input);
  options.env = plain_env(
      {"PRX_TOOLS__CUSTOM__GREET__COMMAND=echo", "PRX_TOOLS__CUSTOM__GREET__ARGS=[\"hello\", \"{name}\"]",
       "PRX_TOOLS__CUSTOM__GREET__PARAMETERS={ properties = { name = { type = \"string\" } } }"});
  return run_prx(all, options);
}

TEST(ToolCommand, ListsAndDescribes) {
  const auto list = tool({"list"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_NE(list.out.find("greet  custom"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("shell  builtin"), std::string::npos) << list.out;
  const auto schema = tool({"schema", "greet", "--format", "mcp"});
  EXPECT_EQ(schema.exit_code, 0) << schema.err;
  EXPECT_TRUE(schema.out.starts_with(R"([{"name":"greet",)")) << schema.out;
}

TEST(ToolCommand, CallsAndEndsWithTheToolsOwnStatus) {
  EXPECT_EQ(tool({"call", "greet", R"({"name":"you"})"}).out, "hello you\n");
  EXPECT_EQ(tool({"call", "greet", "-"}, R"({"name":"stdin"})").out, "hello stdin\n");
  EXPECT_EQ(tool({"call", "shell", R"({"command":"exit 7"})"}).exit_code, 7);
  const auto object = tool({"call", "--json", "greet", "{}"});
  EXPECT_TRUE(object.out.starts_with(R"({"success":true,"output":"hello\n","error":null,)")) << object.out;
}

TEST(ToolCommand, ABadCallIs125WithWhatToDo) {
  const auto unknown = tool({"call", "gret"});
  EXPECT_EQ(unknown.exit_code, 125);
  EXPECT_NE(unknown.err.find("did you mean greet?"), std::string::npos) << unknown.err;
  EXPECT_EQ(tool({"call", "greet", R"({"name":1})"}).exit_code, 125);
  EXPECT_EQ(tool({"call", "greet", "-"}, std::string(3U << 20U, ' ')).exit_code, 125);
  EXPECT_EQ(tool({"frobnicate"}).exit_code, 125);
}

TEST(ToolCommand, ABatchAnswersEachLineAsItEnds) {
  std::string calls;
  for (int i = 0; i < 40; ++i) {
    calls += "{\"id\":" + std::to_string(i) + R"(,"tool":"greet","arguments":{"name":"n)" +
             std::to_string(i) + "\"}}\n";
  }
  const auto batch = tool({"call", "--batch", "--jobs", "4"}, calls);
  EXPECT_EQ(batch.exit_code, 0) << batch.err;
  EXPECT_EQ(std::count(batch.out.begin(), batch.out.end(), '\n'), 40);
  for (int i = 0; i < 40; ++i) {
    const std::string answer = "{\"id\":" + std::to_string(i) +
                               R"(,"tool":"greet","result":{"success":true,"output":"hello n)" +
                               std::to_string(i) + "\\n\"";
    EXPECT_NE(batch.out.find(answer), std::string::npos) << i;
  }
}

TEST(ToolCommand, AWrongLineOfABatchIsAnsweredAndTheOthersRun) {
  const auto batch = tool({"call", "--batch", "--jobs", "1"},
                          "nonsense\n\n{\"tool\":\"greet\"}\n{\"tool\":\"gret\",\"id\":\"x\"}\n" +
                              std::string(2U << 20U, 'y') + "\n{\"tool\":\"greet\",\"extra\":1}");
  EXPECT_EQ(batch.exit_code, 1);
  EXPECT_EQ(std::count(batch.out.begin(), batch.out.end(), '\n'), 5) << batch.out.substr(0, 2000);
  EXPECT_NE(batch.out.find("\"line\":1}"), std::string::npos);
  EXPECT_NE(batch.out.find("\"line\":5}"), std::string::npos);
  EXPECT_NE(batch.out.find("\"line\":6}"), std::string::npos);
  EXPECT_NE(batch.out.find(R"("success":true)"), std::string::npos);
  EXPECT_NE(batch.out.find("did you mean greet?"), std::string::npos);
}

}  // namespace
}  // namespace prx::test
