// Ways out of a grant, each beside what the same call may do: by the engine's rules, and by Landlock behind
// them.
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

class WasmEscape : public WasmTest {
 protected:
  void SetUp() override {
    WasmTest::SetUp();
    secret_ = outside_.write("secret", "secret");
    readable_.write("file", "content");
    fs::create_directory(readable_ / "below");
    config_.runtime.wasm.filesystem_read = {readable_.path()};
    config_.runtime.wasm.filesystem_write = {writable_.path()};
  }
  void expect_refused(std::vector<std::string> args) {
    const auto what = args[0] + " " + args[1] + (args.size() > 2 ? " " + args[2] : "");
    const auto output = run_guest(std::move(args));
    EXPECT_EQ(output.exit_code, 1) << what << ": " << output.out.bytes;
  }
  void expect_works(std::vector<std::string> args) {
    const auto what = args[0] + " " + args[1] + (args.size() > 2 ? " " + args[2] : "");
    const auto output = run_guest(std::move(args));
    EXPECT_EQ(output.exit_code, 0) << what << ": " << output.out.bytes;
  }
  [[nodiscard]] std::string outside_name() const { return fs::path(outside_.path()).filename().string(); }
  void expect_outside_unchanged() {
    EXPECT_EQ(read_file(secret_), "secret");
    EXPECT_EQ(std::distance(fs::directory_iterator(outside_.path()), {}), 1);
  }

  TempDir outside_;
  TempDir readable_;
  TempDir writable_;
  std::string secret_;
};

TEST_F(WasmEscape, NoWayOfReadingLeadsOut) {
  fs::create_symlink(secret_, readable_ / "absolute");
  fs::create_symlink("../" + outside_name() + "/secret", readable_ / "relative");
  fs::create_directory_symlink(outside_.path(), readable_ / "folder");
  fs::create_symlink("absolute", readable_ / "chain");
  const std::vector<std::string> ways{"absolute",
                                      "absolute/",
                                      "relative",
                                      "chain",
                                      "folder",
                                      "folder/",
                                      "folder/secret",
                                      "folder/./secret",
                                      "../" + outside_name() + "/secret",
                                      "below/../../" + outside_name() + "/secret",
                                      "below/../folder/secret",
                                      "..",
                                      "../",
                                      "/" + secret_};
  for (const auto& way : ways) {
    expect_refused({"read", readable_ / way});
    expect_refused({"list", readable_ / way});
  }
  fs::create_symlink("file", readable_ / "inside");
  fs::create_directory_symlink("below", readable_ / "inside-folder");
  for (const std::string way : {"file", "inside", "below/../file", "./file", "below/.././inside"}) {
    EXPECT_EQ(run_guest({"read", readable_ / way}).out.bytes, "content") << way;
  }
  expect_works({"list", readable_ / "inside-folder/"});
}

TEST_F(WasmEscape, NoWayOfWritingLeadsOut) {
  fs::create_symlink(secret_, writable_ / "absolute");
  fs::create_symlink(outside_ / "new", writable_ / "dangling");
  fs::create_directory_symlink(outside_.path(), writable_ / "folder");
  for (const auto& way :
       {std::string("absolute"), std::string("absolute/"), std::string("dangling"), std::string("folder/new"),
        "../" + outside_name() + "/new", "../" + outside_name() + "/secret"}) {
    expect_refused({"write", writable_ / way, "x"});
    expect_refused({"change", writable_ / way, "append"});
  }
  writable_.write("file", "x");
  expect_refused({"mkdir", writable_ / "folder/new"});
  expect_refused({"unlink", writable_ / "folder/secret"});
  expect_refused({"rename", writable_ / "folder/secret", writable_ / "stolen"});
  expect_refused({"rename", writable_ / "file", writable_ / "folder/file"});
  expect_refused({"link", writable_ / "folder/secret", writable_ / "stolen"});
  expect_refused({"rename", writable_ / "file", writable_ / ("../" + outside_name() + "/file")});
  expect_outside_unchanged();
  expect_works({"rename", writable_ / "file", writable_ / "other"});
  expect_works({"link", writable_ / "other", writable_ / "linked"});
  expect_works({"unlink", writable_ / "absolute"});  // the link, not what it leads to
  expect_outside_unchanged();
}

TEST_F(WasmEscape, ALinkThatTheModuleMakesLeadsNowhere) {
  expect_refused({"symlink", writable_ / "absolute", secret_});
  (void)run_guest({"symlink", writable_ / "relative", "../" + outside_name() + "/secret"});
  (void)run_guest({"symlink", writable_ / "folder", "../" + outside_name()});
  for (const std::string way : {"relative", "folder/secret"}) {
    expect_refused({"read", writable_ / way});
    expect_refused({"write", writable_ / way, "x"});
  }
  expect_outside_unchanged();
  writable_.write("file", "content");
  expect_works({"symlink", writable_ / "good", "file"});
  EXPECT_EQ(run_guest({"read", writable_ / "good"}).out.bytes, "content");
}

TEST_F(WasmEscape, AReadOnlyDirectoryStaysAsItIs) {
  const auto look = [&] {
    struct stat status{};
    EXPECT_EQ(stat((readable_ / "file").c_str(), &status), 0);
    return std::pair{status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  };
  const auto before = look();
  const std::vector<std::string> ways{"append",  "trunc",       "rdwr",    "times",
                                      "fd-size", "fd-allocate", "fd-times"};
  for (const auto& how : ways) expect_refused({"change", readable_ / "file", how});
  expect_refused({"write", readable_ / "file", "x"});
  expect_refused({"write", readable_ / "new", "x"});
  expect_refused({"truncate", readable_ / "file"});
  expect_refused({"unlink", readable_ / "file"});
  expect_refused({"rmdir", readable_ / "below"});
  expect_refused({"mkdir", readable_ / "folder"});
  expect_refused({"symlink", readable_ / "linked", "file"});
  EXPECT_EQ(read_file(readable_ / "file"), "content");
  EXPECT_EQ(std::distance(fs::directory_iterator(readable_.path()), {}), 2);
  EXPECT_EQ(look(), before);
  writable_.write("file", "content");
  for (const auto& how : ways) {
    if (how != "fd-allocate") expect_works({"change", writable_ / "file", how});  // the engine has none
  }
}

TEST_F(WasmEscape, NothingIsCarriedFromAReadOnlyGrantToAWritableOne) {
  writable_.write("other", "other");
  expect_refused({"rename", readable_ / "file", writable_ / "file"});
  expect_refused({"rename", writable_ / "other", readable_ / "other"});
  expect_refused({"link", readable_ / "file", writable_ / "linked"});
  expect_refused({"link", writable_ / "other", readable_ / "linked"});
  const auto readable = fs::path(readable_.path()).filename().string();
  expect_works({"symlink", writable_ / "file", "../" + readable + "/file"});
  expect_refused({"write", writable_ / "file", "x"});
  EXPECT_EQ(read_file(readable_ / "file"), "content");
  EXPECT_EQ(read_file(writable_ / "other"), "other");
}

/// Swaps what `path` is, a file or a link to `target`, until it is told to end.
class Swapper {
 public:
  Swapper(std::string path, std::string target)
      : thread_([this, path = std::move(path), target = std::move(target)](const std::stop_token& stop) {
          for (; !stop.stop_requested(); ++swaps_) {
            const auto next = path + ".next";
            std::error_code error;
            fs::remove(next, error);
            if (swaps_ % 2 == 0) {
              fs::create_symlink(target, next, error);
            } else {
              fs::copy_file(path + ".good", next, error);
            }
            fs::rename(next, path, error);
          }
        }) {}
  [[nodiscard]] int swaps() const { return swaps_; }

 private:
  std::atomic<int> swaps_ = 0;
  std::jthread thread_;
};

TEST_F(WasmEscape, ALinkSwappedInALoopIsNotFollowedOut) {
  for (const std::string_view kind : {"file", "folder"}) {
    fs::create_directories(writable_ / "in");
    const bool is_file = kind == "file";
    const auto path = is_file ? writable_ / "in/secret" : writable_ / "in.swapped";
    writable_.write(is_file ? "in/secret.good" : "in.swapped.good", "content");
    const Swapper swapper(path, is_file ? secret_ : outside_.path());
    const auto read = run_guest({"hammer", is_file ? path : path + "/secret", "20000", "secret"});
    EXPECT_EQ(read.exit_code, 0) << read.out.bytes;
    if (is_file) {
      EXPECT_GT(std::stol(read.out.bytes), 0) << "the file itself was never read";
    }
    const auto written = run_guest({"flood", is_file ? path : path + "/secret", "5000"});
    EXPECT_EQ(written.exit_code, 0);
    EXPECT_GT(swapper.swaps(), 10);
    expect_outside_unchanged();
  }
}

TEST_F(WasmEscape, EachOfFiveGrantsIsThere) {
  std::vector<TempDir> grants(5);
  auto& granted = config_.runtime.wasm.filesystem_read;
  for (const auto& dir : grants) {
    dir.write("file", dir.path());
    granted.push_back(dir.path());
  }
  for (const auto& dir : grants) EXPECT_EQ(run_guest({"read", dir / "file"}).out.bytes, dir.path());
}

TEST_F(WasmEscape, AGrantBelowAnotherHasItsOwnRight) {
  config_.runtime.wasm.filesystem_read = {readable_.path()};
  config_.runtime.wasm.filesystem_write = {readable_ / "below"};
  expect_works({"write", readable_ / "below/new", "x"});
  expect_refused({"write", readable_ / "new", "x"});
  expect_refused({"write", readable_ / "below/../new", "x"});
  expect_refused({"rename", readable_ / "below/new", readable_ / "new"});
  EXPECT_EQ(std::distance(fs::directory_iterator(readable_.path()), {}), 2);
}

}  // namespace
}  // namespace prx::test
