// Compiled code that is kept: whatever is wrong with an entry, it is a miss and never a run of it.
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include "backends/wasm/code_cache.hpp"
#include "base/log.hpp"
#include "cli/prx_program.hpp"
#include "os/memory_file.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
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

  [[nodiscard]] std::vector<std::string> environment() const {
    return plain_env({"XDG_CACHE_HOME=" + caches_.path(), "XDG_STATE_HOME=" + caches_.path()});
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

TEST_F(WasmCache, WhatIsUsedLeastGoesFirst) {
  using backends::CodeCache;
  const auto folders = CodeCache::default_folders();
  const auto name = [](int number) { return CodeCache::name_of(std::to_string(number), "engine"); };
  const auto fits_two = CodeCache::open(folders, 2 * (1000 + 32));
  ASSERT_TRUE(fits_two) << fits_two.error().message();
  const auto code = os::open_memory_file("code", std::string(1000, 'x'));
  const auto store = [&](int number, int age) {
    fits_two->store(name(number), *code);
    const auto used = fs::file_time_type::clock::now() - std::chrono::minutes(age);
    fs::last_write_time(folders.cache + "/" + name(number) + ".code", used);
  };
  store(1, 30);
  store(2, 20);
  EXPECT_EQ(entries().size(), 2U) << "just under";
  EXPECT_TRUE(fits_two->find(name(1)));
  store(3, 0);
  EXPECT_TRUE(CodeCache::is_kept(folders, name(1))) << "it was used last";
  EXPECT_FALSE(CodeCache::is_kept(folders, name(2)));
  EXPECT_TRUE(CodeCache::is_kept(folders, name(3)));
}

TEST_F(WasmCache, WhatADeadWriterLeftGoes) {
  (void)the_entry();
  const auto left = caches_ / "openprx/wasm/left.1.1.tmp";
  const auto fresh = caches_ / "openprx/wasm/fresh.1.1.tmp";
  write_bytes(left, "part");
  write_bytes(fresh, "part");
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  fs::remove(entries().front());
  expect_a_run_with("");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(fresh)) << "somebody may be writing it";
}

TEST_F(WasmCache, ManyThatAskAtOnceCompileOnce) {
  std::vector<std::unique_ptr<RunningProgram>> programs;
  for (int i = 0; i < 8; ++i) {
    ProgramOptions options;
    options.env = environment();
    programs.push_back(std::make_unique<RunningProgram>(
        prx_command({"wasm", "compile", "--json", PRX_TEST_MODULES "/guest.wasm"}), options));
  }
  int compiled = 0;
  for (const auto& program : programs) {
    const auto result = program->wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    compiled += result.out.find("\"was_compiled\":false") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(entries().size(), 1U);
  expect_a_run_with("");
}

TEST_F(WasmCache, AFullDiskKeepsNothingAndHarmsNothing) {
  const auto folder = caches_ / "openprx/wasm";
  fs::create_directories(folder);
  const std::string unshare = geteuid() == 0 ? "unshare -m" : "unshare -rm";
  if (run_program({"/bin/sh", "-c", unshare + " true"}).exit_code != 0) {
    return not_proven("wasm.cache_on_a_full_disk", "no mount namespace can be made");
  }
  ProgramOptions options;
  options.env = environment();
  for (const auto& [size, is_kept] : {std::pair{"64k", false}, std::pair{"4m", true}}) {
    const auto script =
        "mount -t tmpfs -o mode=700,size=" + std::string(size) + " none " + folder + " && " + prx_path() +
        " run -v --set runtime.backend=wasm -- " PRX_TEST_MODULES "/guest.wasm exit 3; code=$?; ls " +
        folder + "; exit $code";
    options.env->push_back("SCRIPT=" + script);
    const auto result = run_program({"/bin/sh", "-c", unshare + " /bin/sh -c \"$SCRIPT\""}, options);
    options.env->pop_back();
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_EQ(result.err.find("not kept") == std::string::npos, is_kept) << result.err;
    EXPECT_EQ(result.out.find(".code") != std::string::npos, is_kept) << result.out;
    EXPECT_EQ(result.out.find(".tmp"), std::string::npos) << result.out;
  }
}

TEST_F(WasmCache, AFolderOfAnotherUserIsNotUsed) {
  if (geteuid() != 0) return not_proven("wasm.cache_of_another_user", "not root");
  constexpr uid_t kSomebody = 54'321;
  const auto entry = the_entry();
  ASSERT_EQ(chown(entry.c_str(), kSomebody, static_cast<gid_t>(-1)), 0);
  expect_a_run_with("this user's alone");
  ASSERT_EQ(chown((caches_ / "openprx/wasm").c_str(), kSomebody, static_cast<gid_t>(-1)), 0);
  expect_a_run_with("not kept");
  EXPECT_EQ(entries().size(), 1U) << "nothing was written there";
}

}  // namespace
}  // namespace prx::test
