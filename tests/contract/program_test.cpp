// What cannot be started, and why; each with the nearest thing that can.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/fd.hpp"
#include "contract/contract.hpp"
#include "support/artefacts.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

class ProgramContract : public ExecutionContract {};
PRX_CONTRACT(ProgramContract);

TEST_P(ProgramContract, AMissingProgramIsNotFound) {
  for (const std::string file : {"prx-no-such-program", "/nonexistent/program", "./prx-no-such-program"}) {
    const auto error = must_fail(run(program(file, {"x"})));
    EXPECT_EQ(error.kind, ErrorKind::not_found) << error;
    EXPECT_EQ(error.step, "exec");
    EXPECT_EQ(error.subject, file);
    EXPECT_EQ(error.os_errno, ENOENT);
    EXPECT_FALSE(error.detail.empty());
  }
  EXPECT_EQ(must_end(run(program("true"))).exit_code, 0);
}

TEST_P(ProgramContract, AFileInPlaceOfADirectoryIsNotFound) {
  const auto error = must_fail(run(program("/etc/passwd/program")));
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_EQ(error.os_errno, ENOTDIR);
}

TEST_P(ProgramContract, WithoutPermissionItIsNotExecutable) {
  const TempDir dir;
  const auto plain = dir.write("plain", "#!/bin/sh\nexit 0\n", 0644);
  for (const auto& file : {plain, dir.path()}) {
    const auto error = must_fail(run(program(file)));
    EXPECT_EQ(error.kind, ErrorKind::not_executable) << error;
    EXPECT_EQ(error.step, "exec");
    EXPECT_EQ(error.subject, file);
    EXPECT_EQ(error.os_errno, EACCES);
  }
  EXPECT_EQ(must_end(run(program(dir.write("script", "#!/bin/sh\nexit 6\n", 0755)))).exit_code, 6);
}

TEST_P(ProgramContract, APathWithOneThatMayNotBeExecutedGoesOn) {
  const TempDir refused;
  const TempDir good;
  refused.write("tool", "#!/bin/sh\necho refused\n", 0644);
  auto request = program("tool");
  request.env.push_back({"PATH", refused.path()});
  const auto error = must_fail(run(request));
  EXPECT_EQ(error.kind, ErrorKind::not_executable);
  EXPECT_EQ(error.subject, refused / "tool");
  good.write("tool", "#!/bin/sh\necho good\n", 0755);
  request.env.push_back({"PATH", refused.path() + ":" + good.path()});
  EXPECT_EQ(must_end(run(request)).out.bytes, "good\n");
}

TEST_P(ProgramContract, AMissingInterpreterIsNamed) {
  const TempDir dir;
  const auto direct = dir.write("script", "#!/nonexistent/interpreter -x\n", 0755);
  auto found = program("script");
  found.env.push_back({"PATH", dir.path()});
  for (const auto& request : {program(direct), found}) {
    const auto error = must_fail(run(request));
    EXPECT_EQ(error.kind, ErrorKind::not_executable) << error;
    EXPECT_EQ(error.step, "interpreter");
    EXPECT_EQ(error.subject, "/nonexistent/interpreter");
    EXPECT_EQ(error.os_errno, ENOENT);
    EXPECT_FALSE(error.hint.empty());
  }
}

TEST_P(ProgramContract, TextWithoutAFirstLineIsNotExecutable) {
  const TempDir dir;
  const auto error = must_fail(run(program(dir.write("text", "echo hello\n", 0755))));
  EXPECT_EQ(error.kind, ErrorKind::not_executable);
  EXPECT_EQ(error.step, "exec");
  EXPECT_EQ(error.os_errno, ENOEXEC);
  EXPECT_FALSE(error.hint.empty());
}

TEST_P(ProgramContract, AnOverlongNameIsInvalid) {
  for (const auto& name : {std::string(4096, 'x'), "/" + std::string(5000, 'x'), std::string(100'000, 'x')}) {
    const auto error = must_fail(run(program(name)));
    EXPECT_EQ(error.kind, ErrorKind::invalid_request) << error;
    EXPECT_EQ(error.os_errno, ENAMETOOLONG);
    EXPECT_TRUE(name.starts_with(error.subject));
    EXPECT_FALSE(error.subject.empty());
  }
  EXPECT_EQ(must_fail(run(program(std::string(255, 'x')))).kind, ErrorKind::not_found);
}

TEST_P(ProgramContract, EmptyAndNulAreInvalid) {
  for (const auto& request : {program(""), program("echo", {std::string("a\0b", 3)}),
                              program(std::string("ec\0ho", 5)), shell(std::string("echo a\0b", 8))}) {
    const auto error = must_fail(run(request));
    EXPECT_EQ(error.kind, ErrorKind::invalid_request) << error;
    EXPECT_EQ(error.step, "exec");
  }
  EXPECT_EQ(must_end(run(shell(""))).exit_code, 0);
  EXPECT_EQ(must_end(run(program("echo", {""}))).out.bytes, "\n");
}

TEST_P(ProgramContract, OneArgumentMayBeAsLongAsTheKernelTakes) {
  constexpr std::size_t kLongest = 131'071;  // with its NUL: 32 pages
  EXPECT_EQ(must_end(run(program("true", {std::string(kLongest, 'x')}))).exit_code, 0);
  const auto error = must_fail(run(program("true", {std::string(kLongest + 1, 'x')})));
  EXPECT_EQ(error.kind, ErrorKind::invalid_request);
  EXPECT_EQ(error.step, "exec");
  EXPECT_EQ(error.os_errno, E2BIG);
  EXPECT_NE(error.detail.find("one argument"), std::string::npos);
  EXPECT_FALSE(error.hint.empty());
}

TEST_P(ProgramContract, AllArgumentsTogetherMayBeAsLongAsTheKernelTakes) {
  const auto with_sum = [&](std::size_t sum) {
    auto request = program("true");
    auto& args = std::get<Program>(request.command).args;
    constexpr std::size_t kPiece = 100'000;
    for (; sum > kPiece; sum -= kPiece) args.emplace_back(kPiece, 'x');
    args.emplace_back(sum, 'x');
    return request;
  };
  // The limit depends on the stack limit and the environment: look for it.
  std::size_t passes = 100'000;
  std::size_t fails = std::size_t{8'000'000};
  while (fails - passes > 1) {
    const auto middle = passes + (fails - passes) / 2;
    (run(with_sum(middle)).has_value() ? passes : fails) = middle;
  }
  EXPECT_EQ(must_end(run(with_sum(passes))).exit_code, 0);
  const auto error = must_fail(run(with_sum(fails)));
  EXPECT_EQ(error.kind, ErrorKind::invalid_request);
  EXPECT_EQ(error.os_errno, E2BIG);
  EXPECT_NE(error.detail.find("together"), std::string::npos);
  EXPECT_GT(passes, std::size_t{1'000'000});
}

class WorkingDirContract : public ExecutionContract {
 protected:
  Result<ExecutionOutput> run_in(const std::string& directory) {
    auto request = shell("pwd -P");
    request.working_dir = directory;
    return run(request);
  }
};
PRX_CONTRACT(WorkingDirContract);

TEST_P(WorkingDirContract, AbsoluteRelativeAndUnset) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "below");
  EXPECT_EQ(must_end(run_in(dir / "below")).out.bytes, (dir / "below") + "\n");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  EXPECT_EQ(must_end(run_in("below")).out.bytes, (dir / "below") + "\n");
  EXPECT_EQ(must_end(run_in("./below/..")).out.bytes, dir.path() + "\n");
  EXPECT_EQ(must_end(run_in("")).out.bytes, dir.path() + "\n");
  std::filesystem::current_path(before);
}

TEST_P(WorkingDirContract, MissingIsNotFound) {
  const auto error = must_fail(run_in("/nonexistent/directory"));
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_EQ(error.step, "chdir");
  EXPECT_EQ(error.subject, "/nonexistent/directory");
  EXPECT_EQ(error.os_errno, ENOENT);
}

TEST_P(WorkingDirContract, AFileIsInvalid) {
  const auto error = must_fail(run_in("/etc/passwd"));
  EXPECT_EQ(error.kind, ErrorKind::invalid_request);
  EXPECT_EQ(error.step, "chdir");
  EXPECT_EQ(error.os_errno, ENOTDIR);
}

TEST_P(WorkingDirContract, ADescriptorOfSomebodyIsInvalid) {
  const TempDir dir;
  const base::Fd folder(open(dir.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const auto number = std::to_string(folder.get());
  for (const auto& path : {"/proc/self/fd/" + number, "/proc/" + std::to_string(getpid()) + "/fd/" + number,
                           std::string("/proc/self/fd/../cwd"), std::string("/proc/self/root")}) {
    const auto error = must_fail(run_in(path));
    // Another process of the host is not even there in a slot with processes of its own.
    const bool unseen = backend().sandbox != "none" && error.kind == ErrorKind::not_found;
    EXPECT_TRUE(unseen || error.kind == ErrorKind::invalid_request) << path << ": " << error;
    EXPECT_EQ(error.step, "chdir");
    EXPECT_FALSE(error.hint.empty());
  }
  std::filesystem::create_directory_symlink(dir.path(), dir / "link");
  EXPECT_EQ(must_end(run_in(dir / "link")).out.bytes, dir.path() + "\n");
}

TEST_P(WorkingDirContract, ADeletedCurrentDirectoryIsSaid) {
  const auto before = std::filesystem::current_path();
  {
    const TempDir dir;
    std::filesystem::current_path(dir.path());
  }
  for (const std::string directory : {"", "below"}) {
    const auto error = must_fail(run_in(directory));
    EXPECT_EQ(error.kind, ErrorKind::not_found);
    EXPECT_EQ(error.step, "chdir");
  }
  EXPECT_EQ(must_end(run_in("/")).out.bytes, "/\n");
  std::filesystem::current_path(before);
}

TEST_P(WorkingDirContract, ARelativeProgramIsLookedForThere) {
  const TempDir dir;
  dir.write("tool", "#!/bin/sh\necho here\n", 0755);
  auto request = program("./tool");
  request.working_dir = dir.path();
  EXPECT_EQ(must_end(run(request)).out.bytes, "here\n");
  request.working_dir = "/";
  EXPECT_EQ(must_fail(run(request)).kind, ErrorKind::not_found);
}

TEST_P(WorkingDirContract, ANulIsInvalid) {
  EXPECT_EQ(must_fail(run_in(std::string("/tmp\0/x", 7))).kind, ErrorKind::invalid_request);
}

}  // namespace
}  // namespace prx::test
