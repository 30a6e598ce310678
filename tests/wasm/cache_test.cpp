// Compiled code that is kept: whatever is wrong with an entry, it is a miss and never a run of it.
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include "backends/wasm/code_cache.hpp"
#include "base/log.hpp"
#include "os/memory_file.hpp"
#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

class WasmCache : public WasmTest {
 protected:
  void SetUp() override {
    WasmTest::SetUp();
    base::set_log_sink([this](base::LogLevel, std::string_view text) { log_ += std::string(text) + '\n'; });
  }
  void TearDown() override {
    WasmTest::TearDown();
    base::set_log_sink({});
  }

  [[nodiscard]] std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto& file : fs::directory_iterator(caches_ / "openprx/wasm")) {
      if (file.path().extension() == ".code") found.push_back(file.path());
    }
    return found;
  }
  fs::path the_entry() {
    EXPECT_EQ(run_guest({"exit", "3"}).exit_code, 3);
    EXPECT_EQ(entries().size(), 1U);
    return entries().front();
  }
  /// A new runtime, which has to look again.
  void expect_a_run_with(const std::string& logged) {
    log_.clear();
    renew_runtime();
    EXPECT_EQ(run_guest({"exit", "3"}).exit_code, 3);
    if (logged.empty()) {
      EXPECT_EQ(log_, "");
    } else {
      EXPECT_NE(log_.find(logged), std::string::npos) << log_;
    }
  }

  std::string log_;
};

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_F(WasmCache, AnEntryIsUsedAgain) {
  const auto entry = the_entry();
  struct stat before{};
  struct stat after{};
  ASSERT_EQ(stat(entry.c_str(), &before), 0);
  EXPECT_EQ(before.st_mode & 0777U, 0600U);
  expect_a_run_with("");
  ASSERT_EQ(stat(entry.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(WasmCache, AChangedByteAnywhereIsAMiss) {
  const auto entry = the_entry();
  const auto good = read_bytes(entry);
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{31}, std::size_t{32}, good.size() / 2, good.size() - 1}) {
    auto bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    write_bytes(entry, bad);
    expect_a_run_with("not what was stored");
    EXPECT_EQ(read_bytes(entry), good) << at;
  }
}

TEST_F(WasmCache, ACutEntryIsAMiss) {
  const auto entry = the_entry();
  const auto good = read_bytes(entry);
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{32}, good.size() - 1}) {
    write_bytes(entry, good.substr(0, size));
    expect_a_run_with("is not used");
  }
}

TEST_F(WasmCache, AnEntryThatOthersCouldHaveWrittenIsAMiss) {
  const auto entry = the_entry();
  ASSERT_EQ(chmod(entry.c_str(), 0666), 0);
  expect_a_run_with("this user's alone");
  fs::rename(entry, caches_ / "elsewhere");
  fs::create_symlink(caches_ / "elsewhere", entry);
  expect_a_run_with("this user's alone");
}

TEST_F(WasmCache, AFolderThatOthersCouldWriteToIsNotUsed) {
  fs::create_directories(caches_ / "openprx/wasm");
  ASSERT_EQ(chmod((caches_ / "openprx/wasm").c_str(), 0777), 0);
  expect_a_run_with("not kept");
  EXPECT_TRUE(entries().empty());
}

TEST_F(WasmCache, AnotherKeyIsAMiss) {
  (void)the_entry();
  fs::remove(caches_ / "openprx/wasm-cache.key");
  expect_a_run_with("not what was stored");
}

TEST_F(WasmCache, AnEntryIsOfItsModuleAndEngine) {
  using backends::CodeCache;
  const auto name = CodeCache::name_of("module", "engine");
  EXPECT_EQ(name, CodeCache::name_of("module", "engine"));
  EXPECT_NE(name, CodeCache::name_of("modul", "engine"));
  EXPECT_NE(name, CodeCache::name_of("module", "engine 2"));
  auto cache = CodeCache::open(CodeCache::default_folders());
  ASSERT_TRUE(cache);
  const auto code = os::open_memory_file("code", "code");
  cache->store(name, *code);
  EXPECT_TRUE(cache->find(name));
  const auto other = CodeCache::name_of("other", "engine");
  EXPECT_FALSE(cache->find(other));
  fs::copy_file(caches_ / ("openprx/wasm/" + name + ".code"), caches_ / ("openprx/wasm/" + other + ".code"));
  EXPECT_FALSE(cache->find(other));
}

}  // namespace
}  // namespace prx::test
