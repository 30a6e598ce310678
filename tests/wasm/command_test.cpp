// Programs of WASI preview 1: how they are found, what they are given, how they end.
#include <fcntl.h>

#include <csignal>
#include <thread>

#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WasmCommand : public WasmTest {};

TEST_F(WasmCommand, ArgumentsArriveOneByOne) {
  EXPECT_EQ(run_guest({"echo", "a b", "", "$HOME", "'"}).out.bytes, "a b\n\n$HOME\n'\n");
  EXPECT_EQ(run_guest({"name"}).out.bytes, "guest");
}

TEST_F(WasmCommand, TheDeadlineEndsWhateverItDoes) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"loop"}, std::vector<std::string>{"sleep", "100"}}) {
    auto request = guest(args);
    request.timeout = milliseconds(300);
    const auto output = run(request);
    EXPECT_TRUE(std::holds_alternative<TimedOut>(output.ending)) << args.front();
    EXPECT_EQ(output.out.bytes, "before");
    EXPECT_LT(output.duration, seconds(10));
  }
  auto request = guest({"cat"});
  request.input = StdinStream{};
  request.timeout = milliseconds(300);
  auto execution = runtime().start(request, {});
  ASSERT_TRUE(execution);
  EXPECT_TRUE(std::holds_alternative<TimedOut>(execution->wait()->ending));
}

TEST_F(WasmCommand, NoRequestGetsMoreThanTheCeiling) {
  config_.runtime.wasm.timeout = seconds(1);
  auto request = guest({"sleep", "100"});
  for (const auto asked : {milliseconds(0), milliseconds(60'000)}) {
    request.timeout = asked;
    const auto output = run(request);
    ASSERT_TRUE(std::holds_alternative<TimedOut>(output.ending));
    EXPECT_EQ(std::get<TimedOut>(output.ending).limit, seconds(1));
  }
}

TEST_F(WasmCommand, MemoryIsBoundedToThePage) {
  config_.runtime.wasm.max_memory = Bytes{std::uint64_t{16} << 20U};
  EXPECT_EQ(run_guest({"grow"}).out.bytes, "256");
  const auto output = run_guest({"trap", "out-of-memory"});
  ASSERT_TRUE(std::holds_alternative<OutOfMemory>(output.ending));
  EXPECT_EQ(std::get<OutOfMemory>(output.ending).limit, config_.runtime.wasm.max_memory);
  EXPECT_EQ(output.out.bytes, "before");
}

TEST_F(WasmCommand, SeveralMemoriesShareOneLimit) {
  config_.runtime.wasm.max_memory = Bytes{std::uint64_t{16} << 20U};
  const auto with = [&](int pages) {
    const auto path = workspace_.write(
        "two.wat", "(module (memory 128) (memory " + std::to_string(pages) + ") (func (export \"_start\")))");
    auto request = guest({});
    request.command = Program{path, {"x"}};
    return request;
  };
  EXPECT_EQ(run(with(128)).exit_code, 0);
  const auto error = must_fail(with(129));
  EXPECT_EQ(error.kind, ErrorKind::exhausted);
  EXPECT_EQ(error.step, "engine");
}

TEST_F(WasmCommand, AModuleSeesOnlyTheVariablesThatItIsGranted) {
  setenv("LANG", "C.prx", 1);
  auto request = guest({"env"});
  request.env = {{"GIVEN", "1=2"}};
  EXPECT_EQ(run(request).out.bytes, "GIVEN=1=2\n");
}

TEST_F(WasmCommand, AVariableNeedsBothLists) {
  setenv("LANG", "C.prx", 1);
  setenv("PRX_TEST_OTHER", "x", 1);
  config_.runtime.wasm.env_vars = {"LANG", "PRX_TEST_OTHER", "PATH"};
  const auto output = run_guest({"env"});
  EXPECT_EQ(output.out.bytes, "LANG=C.prx\n");
  EXPECT_GT(output.env_withheld, 0U);
}

TEST_F(WasmCommand, CancellingAndSignalsEndIt) {
  auto execution = runtime().start(guest({"loop"}), {});
  ASSERT_TRUE(execution);
  execution->cancel(SIGINT);
  EXPECT_TRUE(std::holds_alternative<Cancelled>(execution->wait()->ending));
}

TEST_F(WasmCommand, AChangedFileIsTakenUp) {
  const auto with = [&](int code) {
    const auto path = workspace_.write(
        "changing.wat",
        "(module (import \"wasi_snapshot_preview1\" \"proc_exit\" (func $exit (param i32))) (memory "
        "(export \"memory\") 1) (func (export \"_start\") (call $exit (i32.const " +
            std::to_string(code) + "))))");
    auto request = guest({});
    request.command = Program{path, {"x"}};
    return run(request).exit_code;
  };
  EXPECT_EQ(with(5), 5);
  EXPECT_EQ(with(66), 66);
}

TEST_F(WasmCommand, AShellLineOfPlainWordsIsAProgram) {
  auto request = guest({});
  request.command = ShellLine{R"(guest echo 'a b' "c \" d" e\ f)"};
  EXPECT_EQ(run(request).out.bytes, "a b\nc \" d\ne f\n");
  for (const std::string line :
       {"guest echo a | cat", "guest echo $HOME", "guest echo *", "a=1 guest", "x > y"}) {
    request.command = ShellLine{line};
    const auto error = must_fail(request);
    EXPECT_EQ(error.kind, ErrorKind::unsupported) << line;
    EXPECT_NE(error.hint.find("tools.custom"), std::string::npos);
  }
}

struct Wrong {
  std::string name;
  std::string text;
  ErrorKind kind;
};

TEST_F(WasmCommand, WhatIsNoProgramIsSaid) {
  const std::vector<Wrong> wrongs{
      {"empty.wasm", "", ErrorKind::not_executable},
      {"text.wasm", "#!/bin/sh\n", ErrorKind::not_executable},
      {"cut.wasm", std::string("\0asm\1\0\0\0\1\x20", 10), ErrorKind::not_executable},
      {"unknown.wat", R"((module (import "env" "nothing" (func)) (func (export "_start"))))",
       ErrorKind::not_executable},
      {"library.wat", R"((module (func (export "_initialize"))))", ErrorKind::not_executable},
  };
  for (const auto& wrong : wrongs) {
    auto request = guest({});
    request.command = Program{workspace_.write(wrong.name, wrong.text), {"x"}};
    const auto error = must_fail(request);
    EXPECT_EQ(error.kind, wrong.kind) << wrong.name << ": " << error.message();
    EXPECT_FALSE(error.hint.empty()) << wrong.name;
    EXPECT_FALSE(error.detail.empty()) << wrong.name;
  }
  auto request = guest({});
  request.command = Program{"prx-no-such-module"};
  EXPECT_EQ(must_fail(request).kind, ErrorKind::not_found);
  EXPECT_EQ(run_guest({"exit", "0"}).exit_code, 0);
}

}  // namespace
}  // namespace prx::test
