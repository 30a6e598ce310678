// Limits against commands that want more: just under a limit all works, just over it nothing does, and
// without the limit the same line works. As root, where control groups hold here, and as an ordinary user,
// who has none.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

struct Limit {
  const char* name;
  const char* key;    ///< of [security.resources]
  const char* value;  ///< the limit under test
  std::string under;  ///< arguments of the probe
  std::string over;
};

std::ostream& operator<<(std::ostream& stream, const Limit& limit) {
  return stream << limit.name;
}

// Beside prx-init and the probe itself.
const std::vector<Limit> kLimits{
    {"MemoryOfAMemoryFile", "max_memory_mb", "64", "memfd 48", "memfd 80"},
    {"MemoryOfAHiddenProcess", "max_memory_mb", "64", "memfd 48", "hidden-memfd 80"},
    {"SharedMemory", "max_memory_mb", "64", "shared 48", "shared 80"},
    {"SystemVMemory", "max_memory_mb", "64", "sysv 48", "sysv 80"},
    {"CpuTime", "max_cpu_time_seconds", "1", "cpu 700", "cpu 4000"},
    {"CpuTimeOfATree", "max_cpu_time_seconds", "1", "tree-cpu 700", "tree-cpu 6000"},
    {"CpuTimeOfTheStubborn", "max_cpu_time_seconds", "1", "stubborn-cpu 700", "stubborn-cpu 5000"},
    {"Children", "max_subprocesses", "8", "children 7", "children 8"},
    {"Threads", "max_subprocesses", "8", "threads 7", "threads 8"},
    {"OpenFiles", "max_open_files", "32", "files 29", "files 30"},
    {"FileSize", "max_file_size_mb", "2", "file 2", "file 3"},
};

std::vector<std::string> line(const std::string& prx, const std::string& kind, const Limit& limit,
                              const std::string& value, const std::string& arguments) {
  return {prx,
          "run",
          "--json",
          "--timeout",
          "60s",
          "--set",
          "security.sandbox.backend=" + kind,
          "--set",
          std::string("security.resources.") + limit.key + "=" + value,
          "-c",
          "exec ./take " + arguments};
}

bool took(const ProgramResult& result) {
  return result.exit_code == 0 && result.out.find("took ") != std::string::npos;
}

bool contains(const ProgramResult& result, const std::string& text) {
  return result.out.find(text) != std::string::npos;
}

using RunLine = std::function<ProgramResult(const std::vector<std::string>&)>;

void expect_held(const RunLine& run, const std::string& prx, const std::string& kind, const Limit& limit) {
  const auto control = run(line(prx, kind, limit, "0", limit.over));
  ASSERT_TRUE(took(control)) << "it proves nothing: " << control.out << control.err;
  const auto under = run(line(prx, kind, limit, limit.value, limit.under));
  EXPECT_TRUE(took(under)) << under.out << under.err;
  const auto over = run(line(prx, kind, limit, limit.value, limit.over));
  EXPECT_FALSE(took(over)) << over.out;
  EXPECT_NE(over.exit_code, 125) << "it was to run, and fail: " << over.out;
}

class LimitEscape : public ::testing::TestWithParam<Limit> {
 protected:
  static void as_root(const std::string& kind) {
    if (::geteuid() != 0) return not_proven("escape.limits_as_root", "not root");
    const TempDir dir;
    std::filesystem::copy(probe_path("take"), dir / "take");
    ProgramOptions options;
    options.working_dir = dir.path();
    expect_held([&](const auto& argv) { return run_program(argv, options); }, prx_path(), kind, GetParam());
  }
  static void as_user(const std::string& kind) {
    if (!OrdinaryUser::possible()) return not_proven("escape.limits_as_user", "not root");
    const OrdinaryUser user;
    const auto prx = user.install(prx_path());
    const auto folder = user.folder() + "/ws";
    std::filesystem::create_directory(folder);
    std::filesystem::copy(user.install(probe_path("take")), folder + "/take");
    ASSERT_EQ(::chown(folder.c_str(), user.id(), user.id()), 0);
    ProgramOptions options;
    options.env = {"PATH=/usr/bin:/bin", "HOME=" + user.folder()};
    options.working_dir = folder;
    const RunLine run = [&](const auto& argv) { return user.run(argv, options); };
    const auto first = run(line(prx, kind, GetParam(), GetParam().value, "files 1"));
    if (contains(first, R"("kind":"unsupported")")) {
      // Without a user namespace of its own, and without a group, nothing counts a user's processes.
      EXPECT_EQ(std::string(GetParam().key), "max_subprocesses");
      EXPECT_EQ(kind, "none");
      EXPECT_TRUE(contains(first, "security.resources.max_subprocesses")) << first.out;
      return;
    }
    expect_held(run, prx, kind, GetParam());
  }
};

TEST_P(LimitEscape, NamespacesAsRoot) {
  as_root("namespaces");
}
TEST_P(LimitEscape, NoneAsRoot) {
  as_root("none");
}
TEST_P(LimitEscape, NamespacesAsAnOrdinaryUser) {
  as_user("namespaces");
}
TEST_P(LimitEscape, NoneAsAnOrdinaryUser) {
  // Who runs unconfined may hide from whom it runs as: docs/configuration.md says so.
  if (std::string(GetParam().name) == "MemoryOfAHiddenProcess") return;
  as_user("none");
}

INSTANTIATE_TEST_SUITE_P(Every, LimitEscape, ::testing::ValuesIn(kLimits),
                         [](const auto& test) { return std::string(test.param.name); });

/// What people run, at the built-in limits.
struct Tool {
  const char* name;
  const char* program;
  const char* line;
};

std::ostream& operator<<(std::ostream& stream, const Tool& tool) {
  return stream << tool.name;
}

const std::vector<Tool> kTools{
    {"Node", "node",
     "node -e 'const w=require(\"worker_threads\"); new "
     "w.Worker(\"1\",{eval:true}).on(\"exit\",()=>console.log(1))'"},
    {"Go", "go",
     "printf 'package main\\nfunc main() { println(1) }\\n' > m.go && GOFLAGS=-mod=mod go run m.go"},
    {"Java", "java",
     "printf 'class M { public static void main(String[] a) { System.out.println(1); } }' > M.java && "
     "java M.java"},
    {"Cargo", "cargo", "cargo init -q --vcs none --name m . && cargo run -q --offline"},
    {"Gxx", "g++",
     "printf '#include <regex>\\nint main() { std::regex(\"a\"); }\\n' > m.cpp && g++ -O2 m.cpp && ./a.out"},
    {"Pip", "pip", "pip --version && pip list >/dev/null"},
};

class LimitsOfTools : public ::testing::TestWithParam<Tool> {};

TEST_P(LimitsOfTools, TheDefaultsAreNoHindrance) {
  const Tool& tool = GetParam();
  const TempDir dir;
  ProgramOptions options;
  options.working_dir = dir.path();
  options.timeout = std::chrono::minutes(4);
  const std::string has = std::string("command -v ") + tool.program;
  if (run_program({"/bin/sh", "-c", has}).exit_code != 0) {
    return not_proven(std::string("escape.limits_tool_") + tool.program, "it is not installed");
  }
  const auto inside =
      run_program({prx_path(), "run", "--json", "--timeout", "180s", "-c", tool.line}, options);
  EXPECT_EQ(inside.exit_code, 0) << inside.out << inside.err;
  EXPECT_TRUE(contains(inside, R"("oom_kills":0)")) << inside.out;
}

INSTANTIATE_TEST_SUITE_P(Every, LimitsOfTools, ::testing::ValuesIn(kTools),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace prx::test
