// prx without the worker of an engine: the program alone, as a build without one is.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/prx_program.hpp"
#include "support/artefacts.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

class WithoutAnEngine : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::copy_file(prx_path(), folder_ / "prx"); }
  ProgramResult prx(std::vector<std::string> args) {
    args.insert(args.begin(), folder_ / "prx");
    ProgramOptions options;
    options.env = plain_env();
    return run_program(args, options);
  }
  TempDir folder_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(WithoutAnEngine, EverythingElseWorks) {
  EXPECT_EQ(prx({"run", "--", "sh", "-c", "exit 3"}).exit_code, 3);
  const auto doctor = prx({"doctor"});
  EXPECT_TRUE(has(doctor.out, "wasm backend")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "fetch-wasmtime.sh")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "auto would pick: native")) << doctor.out;
}

TEST_F(WithoutAnEngine, ModulesAreUnavailableWithARemedy) {
  const auto run = prx({"run", "--json", "--set", "runtime.backend=wasm", "--", "hello"});
  EXPECT_EQ(run.exit_code, 125);
  EXPECT_TRUE(has(run.out, R"("kind":"unavailable")")) << run.out;
  EXPECT_TRUE(has(run.out, "fetch-wasmtime.sh")) << run.out;
}

TEST_F(WithoutAnEngine, ABinaryModuleIsInspectedAllTheSame) {
  const auto binary = folder_.write("empty.wasm", std::string("\0asm\1\0\0\0", 8));
  EXPECT_TRUE(has(prx({"wasm", "inspect", binary}).out, "kind      library"));
  const auto text = prx({"wasm", "inspect", folder_.write("text.wat", "(module)")});
  EXPECT_EQ(text.exit_code, 125);
  EXPECT_TRUE(has(text.err, "no worker")) << text.err;
}

}  // namespace
}  // namespace prx::test
