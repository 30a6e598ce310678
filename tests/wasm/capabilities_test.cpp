// What a module may reach, each refusal beside what is allowed.
#include <filesystem>

#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

class WasmCapabilities : public WasmTest {
 protected:
  void SetUp() override {
    WasmTest::SetUp();
    secret_ = outside_.write("secret", "secret");
    readable_.write("file", "content");
    std::filesystem::create_directory(readable_ / "below");
  }

  void grant() {
    config_.runtime.wasm.filesystem_read = {readable_.path()};
    config_.runtime.wasm.filesystem_write = {writable_.path()};
  }
  void expect_refused(std::vector<std::string> args) {
    const auto what = args.front() + " " + args[1];
    const auto output = run_guest(std::move(args));
    EXPECT_EQ(output.exit_code, 1) << what << ": " << output.out.bytes;
  }
  void expect_works(std::vector<std::string> args) {
    const auto what = args.front() + " " + args[1];
    const auto output = run_guest(std::move(args));
    EXPECT_EQ(output.exit_code, 0) << what << ": " << output.out.bytes;
  }

  TempDir outside_;
  TempDir readable_;
  TempDir writable_;
  std::string secret_;
};

TEST_F(WasmCapabilities, NothingGrantedIsNothingSeen) {
  for (const auto& path : {secret_, readable_ / "file", std::string("/etc/passwd"), std::string("."),
                           std::string("/proc/self/status")}) {
    expect_refused({"read", path});
    expect_refused({"list", path});
  }
  expect_refused({"write", writable_ / "new", "x"});
  EXPECT_FALSE(std::filesystem::exists(writable_ / "new"));
}

TEST_F(WasmCapabilities, WhatIsGrantedIsThere) {
  grant();
  EXPECT_EQ(run_guest({"read", readable_ / "file"}).out.bytes, "content");
  expect_works({"list", readable_.path()});
  expect_works({"write", writable_ / "new", "text"});
  EXPECT_EQ(read_file(writable_ / "new"), "text");
  expect_works({"read", writable_ / "new"});
  expect_works({"mkdir", writable_ / "folder"});
  expect_works({"rename", writable_ / "new", writable_ / "renamed"});
  expect_works({"unlink", writable_ / "renamed"});
}

TEST_F(WasmCapabilities, RelativePathsBeginWhereTheCommandStarts) {
  grant();
  auto request = guest({"read", "file"});
  request.working_dir = readable_.path();
  EXPECT_EQ(run(request).out.bytes, "content");
  request.working_dir = outside_.path();
  EXPECT_EQ(run(request).exit_code, 1);
  request.working_dir = "/nonexistent/directory";
  EXPECT_EQ(must_fail(request).step, "chdir");
}

TEST_F(WasmCapabilities, TheWorkspaceHasItsName) {
  workspace_.write("file", "of the workspace");
  config_.runtime.wasm.filesystem_read = {"/workspace"};
  EXPECT_EQ(run_guest({"read", "/workspace/file"}).out.bytes, "of the workspace");
  expect_refused({"write", "/workspace/file", "x"});
}

TEST_F(WasmCapabilities, WhatIsPrxsOwnIsNeverGranted) {
  std::filesystem::create_directories(caches_ / "openprx/wasm");
  for (const auto& path : {caches_.path(), caches_ / "openprx", caches_ / "openprx/wasm"}) {
    config_.runtime.wasm.filesystem_read = {path};
    EXPECT_EQ(create_runtime(config_).error().kind, ErrorKind::denied) << path;
  }
  std::filesystem::create_directories(caches_ / "beside");
  config_.runtime.wasm.filesystem_read = {caches_ / "beside"};
  expect_works({"list", caches_ / "beside"});
}

TEST_F(WasmCapabilities, AGrantThatCannotBeIsAnError) {
  config_.runtime.wasm.filesystem_read = {"/nonexistent/folder"};
  EXPECT_EQ(create_runtime(config_).error().kind, ErrorKind::invalid_request);
  config_.runtime.wasm.filesystem_read = {};
  std::filesystem::create_directories(writable_ / ".git/hooks");
  config_.runtime.wasm.filesystem_write = {writable_.path()};
  EXPECT_EQ(create_runtime(config_).error().kind, ErrorKind::unsupported);
  config_.runtime.wasm.filesystem_write = {};
  config_.runtime.wasm.network = true;
  EXPECT_EQ(create_runtime(config_).error().kind, ErrorKind::unsupported);
  config_.runtime.wasm.network = false;
  config_.runtime.wasm.engine = WasmEngine::wasmer;
  const auto error = create_runtime(config_).error();
  EXPECT_EQ(error.kind, ErrorKind::unavailable);
  EXPECT_FALSE(error.hint.empty());
}

}  // namespace
}  // namespace prx::test
