// Programs that bring a runtime of their own.
#include <filesystem>

#include "support/not_proven.hpp"
#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

class WasmLanguages : public WasmTest {
 protected:
  /// Of the build: large modules take seconds to compile.
  void SetUp() override {
    WasmTest::SetUp();
    setenv("XDG_CACHE_HOME", PRX_TEST_MODULES "/../wasm-cache", 1);
    setenv("XDG_STATE_HOME", PRX_TEST_MODULES "/../wasm-cache", 1);
  }

  [[nodiscard]] static bool has_go() {
    if (std::filesystem::exists(PRX_TEST_MODULES "/go.wasm")) return true;
    not_proven("wasm.go", "no Go compiler");
    return false;
  }
  [[nodiscard]] static ExecutionRequest go(std::vector<std::string> args) {
    auto request = guest({});
    request.command = Program{"go", std::move(args)};
    return request;
  }
};

TEST_F(WasmLanguages, GoIsGivenWhatItIsGivenElsewhere) {
  if (!has_go()) return;
  const auto file = workspace_.write("file", "content");
  auto request = go({"args", "a b", ""});
  request.env = {{"WORD", "word"}};
  EXPECT_EQ(run(request).out.bytes, "a b|word");
  EXPECT_EQ(run(go({"exit"})).exit_code, 3);
  EXPECT_EQ(run(go({"read", file})).exit_code, 1) << "not granted";
  renew_runtime();
  config_.runtime.wasm.filesystem_read = {workspace_.path()};
  EXPECT_EQ(run(go({"read", file})).out.bytes, "content");
}

TEST_F(WasmLanguages, APanicOfGoIsAnExit) {
  if (!has_go()) return;
  const auto output = run(go({"panic"}));
  ASSERT_TRUE(std::holds_alternative<Exited>(output.ending));
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_NE(output.err.bytes.find("on purpose"), std::string::npos);
}

TEST_F(WasmLanguages, ASleepOfGoEndsAtTheDeadline) {
  if (!has_go()) return;
  auto request = go({"sleep"});
  (void)run(go({"exit"}));  // compiled: that time does not count
  request.timeout = std::chrono::milliseconds(300);
  const auto output = run(request);
  EXPECT_TRUE(std::holds_alternative<TimedOut>(output.ending));
  EXPECT_EQ(output.out.bytes, "before");
  EXPECT_LT(output.duration, std::chrono::seconds(5));
}

}  // namespace
}  // namespace prx::test
