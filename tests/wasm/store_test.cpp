// prx wasm: modules as people look after them.
#include <filesystem>

#include "cli/prx_program.hpp"
#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGuest = PRX_TEST_MODULES "/guest.wasm";

class WasmStore : public ::testing::Test {
 protected:
  ProgramResult wasm(std::vector<std::string> args) {
    args.insert(args.begin(), "wasm");
    return prx(std::move(args));
  }
  ProgramResult prx(std::vector<std::string> args) {
    ProgramOptions options;
    options.env =
        plain_env({"XDG_CACHE_HOME=" + home_.path(), "XDG_STATE_HOME=" + home_.path(),
                   "PRX_RUNTIME__WASM__MODULE_PATH=" + home_ / "modules", "PRX_RUNTIME__BACKEND=wasm"});
    options.working_dir = home_.path();
    return run_prx(args, options);
  }
  [[nodiscard]] std::size_t kept() const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(home_ / "openprx/wasm", error)) {
      count += file.path().extension() == ".code" ? 1U : 0U;
    }
    return count;
  }

  TempDir home_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(WasmStore, AModuleIsInstalledRunAndRemoved) {
  EXPECT_TRUE(has(wasm({"list"}).out, "no modules in"));
  EXPECT_EQ(prx({"run", "--", "guest", "exit", "3"}).exit_code, 127);
  const auto installed = wasm({"install", kGuest});
  EXPECT_EQ(installed.exit_code, 0) << installed.err;
  EXPECT_TRUE(has(installed.out, home_ / "modules/guest.wasm"));
  EXPECT_EQ(kept(), 1U) << "compiled ahead of its first run";
  EXPECT_EQ(prx({"run", "--", "guest", "exit", "3"}).exit_code, 3);
  EXPECT_TRUE(has(wasm({"list"}).out, "guest  command"));
  EXPECT_EQ(wasm({"remove", "guest"}).exit_code, 0);
  EXPECT_EQ(kept(), 0U);
  EXPECT_EQ(prx({"run", "--", "guest", "exit", "3"}).exit_code, 127);
  EXPECT_EQ(wasm({"remove", "guest"}).exit_code, 127);
}

TEST_F(WasmStore, AModuleIsReplacedOnlyOnPurpose) {
  ASSERT_EQ(wasm({"install", kGuest, "--as", "tool"}).exit_code, 0);
  const auto path = home_.write("tool.wat", R"((module (func (export "_start"))))");
  fs::rename(path, home_ / "tool");  // the content says what it is
  const auto again = wasm({"install", "tool"});
  EXPECT_EQ(again.exit_code, 0) << "a .wat beside the .wasm";
  const auto refused = wasm({"install", kGuest, "--as", "tool"});
  EXPECT_EQ(refused.exit_code, 125);
  EXPECT_TRUE(has(refused.err, "--force"));
  EXPECT_EQ(wasm({"install", "--force", "--as", "tool", kGuest}).exit_code, 0);
  for (const auto& file : fs::directory_iterator(home_ / "modules")) {
    EXPECT_NE(file.path().extension(), ".tmp") << file.path();
  }
}

TEST_F(WasmStore, WhatCannotRunIsNotInstalled) {
  const auto library = home_.write("library.wat", R"((module (func (export "_initialize"))))");
  const auto unknown =
      home_.write("unknown.wat", R"((module (import "env" "f" (func)) (func (export "_start"))))");
  const auto damaged = home_.write("damaged.wasm", std::string("\0asm\1\0\0\0\x0a\x03\x01\x01\x99", 13));
  for (const auto& path : {library, unknown, damaged, home_.write("text.wasm", "junk")}) {
    const auto result = wasm({"install", path});
    EXPECT_EQ(result.exit_code, 126) << path << result.out;
    EXPECT_TRUE(has(result.err, "hint: ")) << result.err;
  }
  EXPECT_FALSE(fs::exists(home_ / "modules"));
  for (const std::string name : {"", "a/b", ".hidden", "a b", "../up"}) {
    EXPECT_EQ(wasm({"install", "--as=" + name, kGuest}).exit_code, 125) << name;
  }
  EXPECT_EQ(wasm({"install", "--as=a-b", kGuest}).exit_code, 0);
}

TEST_F(WasmStore, InspectShowsWhatAModuleUsesAndIsGranted) {
  const auto nothing = wasm({"inspect", kGuest});
  EXPECT_EQ(nothing.exit_code, 0) << nothing.err;
  EXPECT_TRUE(has(nothing.out, "filesystem_read: nothing is granted (built-in)")) << nothing.out;
  EXPECT_TRUE(has(nothing.out, "WASI      preview 1"));
  EXPECT_TRUE(has(nothing.out, "_start"));
  EXPECT_FALSE(has(nothing.out, "network"));
  EXPECT_EQ(kept(), 0U) << "looking compiles nothing";
  const auto granted = wasm(
      {"inspect", "--json", "--set", "runtime.wasm.capabilities.filesystem_write=[\"/workspace\"]", kGuest});
  EXPECT_TRUE(has(granted.out, R"("granted":["/workspace"])")) << granted.out;
  const auto text = wasm({"inspect", home_.write("unknown.wat", R"((module (import "env" "f" (func))))")});
  EXPECT_TRUE(has(text.out, "runs      no: it exports no function _start")) << text.out;
}

TEST_F(WasmStore, CompilingTwiceCompilesOnce) {
  EXPECT_TRUE(has(wasm({"compile", kGuest}).out, "compiled in"));
  EXPECT_EQ(kept(), 1U);
  EXPECT_TRUE(has(wasm({"compile", kGuest}).out, "was compiled before"));
  const auto missing = wasm({"compile", kGuest, "./missing.wasm"});
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_TRUE(has(missing.out, "was compiled before")) << "what was done is said";
}

TEST_F(WasmStore, WithoutRoomCompilingIsAnError) {
  fs::create_directories(home_ / "openprx");
  home_.write("openprx/wasm", "no folder");
  EXPECT_EQ(wasm({"compile", kGuest}).exit_code, 125);
  EXPECT_EQ(prx({"run", "--", kGuest, "exit", "3"}).exit_code, 3) << "running needs none";
}

TEST_F(WasmStore, TheListNamesWhatIsWrong) {
  fs::create_directories(home_ / "modules");
  home_.write("modules/bad.wasm", "junk");
  home_.write("modules/.hidden.wasm", "junk");
  home_.write("modules/other.txt", "text");
  fs::copy_file(kGuest, home_ / "modules/good.wasm");
  const auto list = wasm({"list", "--json"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_TRUE(has(list.out, R"("name":"bad","path":")")) << list.out;
  EXPECT_TRUE(has(list.out, R"("kind":"no module")"));
  EXPECT_TRUE(has(list.out, R"("name":"good")"));
  EXPECT_FALSE(has(list.out, "hidden"));
  EXPECT_FALSE(has(list.out, "other"));
}

TEST_F(WasmStore, WrongUseIsSaid) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{},
                                               {"fly"},
                                               {"inspect"},
                                               {"compile"},
                                               {"remove"},
                                               {"install"},
                                               {"list", "x"},
                                               {"install", "a", "b"},
                                               {"list", "--force"},
                                               {"remove", "a/b"}}) {
    const auto result = wasm(args);
    EXPECT_EQ(result.exit_code, 125) << result.out;
    EXPECT_TRUE(has(result.err, "hint: ")) << result.err;
  }
}

}  // namespace
}  // namespace prx::test
