// What a command is given and how it ends, on every backend: also where there is no shell and no process of
// this machine.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/fd.hpp"
#include "contract/contract.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

class PortableContract : public ExecutionContract {
 protected:
  ExecutionOutput run_portable(std::vector<std::string> args) {
    return must_end(run(portable(std::move(args))));
  }
  ExecutionOutput run_with_stdin(std::vector<std::string> args, std::string bytes) {
    auto request = portable(std::move(args));
    request.input = StdinBytes{std::move(bytes)};
    return must_end(run(request));
  }
};
PRX_PORTABLE_CONTRACT(PortableContract);

std::string with_nuls(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += text + '\0';
  return all;
}

TEST_P(PortableContract, EveryCodeArrivesUnchanged) {
  for (const int code : {0, 1, 7, 125, 126, 127, 255}) {
    const auto output = run_portable({"exit", std::to_string(code)});
    ASSERT_TRUE(std::holds_alternative<Exited>(output.ending)) << code;
    EXPECT_EQ(std::get<Exited>(output.ending).code, code);
    EXPECT_EQ(output.exit_code, code);
  }
}

TEST_P(PortableContract, TheOutputSaysWhatRan) {
  const auto first = run_portable({"exit", "0"});
  const auto second = run_portable({"exit", "0"});
  EXPECT_EQ(first.backend, backend().backend);
  EXPECT_EQ(first.sandbox, backend().sandbox);
  EXPECT_FALSE(first.id.empty());
  EXPECT_NE(first.id, second.id);
  EXPECT_GT(first.duration.count(), 0);
  EXPECT_GT(first.usage.max_rss.value, 0U);
  EXPECT_FALSE(first.unresponsive);
  EXPECT_EQ(first.leftovers.killed, 0U);
  EXPECT_EQ(first.leftovers.alive, 0U);
  EXPECT_GE(run_portable({"sleep", "100"}).duration, milliseconds(100));
}

TEST_P(PortableContract, ArgumentsArriveByteForByte) {
  const std::vector<std::string> args{"",     "a b", "'\"\\", "$HOME", "| cat", "a\nb",
                                      "\x01", "é",   "-x",    "--",    "*",     std::string(100'000, 'x')};
  auto call = args;
  call.insert(call.begin(), "args");
  EXPECT_EQ(run_portable(call).out.bytes, with_nuls(args));
}

TEST_P(PortableContract, TheEnvironmentIsTheRequests) {
  setenv("PRX_TEST_SECRET", "hunter2", 1);
  config_.runtime.env_whitelist = {};
  auto request = portable({"env"});
  request.env = {{"PRX_TEST_MARK", marker()}, {"EMPTY", ""}, {"LINES", "a\nb\n"}, {"SIGN", "\x01=é"}};
  const auto output = must_end(run(request));
  EXPECT_EQ(output.out.bytes,
            with_nuls({"PRX_TEST_MARK=" + marker(), "EMPTY=", "LINES=a\nb\n", "SIGN=\x01=é"}));
  EXPECT_GT(output.env_withheld, 0U);
  request.env.push_back({"EMPTY", "last"});
  EXPECT_NE(must_end(run(request)).out.bytes.find("EMPTY=last"), std::string::npos);
}

TEST_P(PortableContract, TwoThousandVariablesArrive) {
  auto request = portable({"env"});
  for (int i = 0; i < 2000; ++i) request.env.push_back({"V" + std::to_string(i), std::to_string(i)});
  const auto seen = must_end(run(request)).out.bytes;
  EXPECT_NE(seen.find(with_nuls({"", "V0=0"})), std::string::npos);
  EXPECT_NE(seen.find(with_nuls({"", "V1999=1999"})), std::string::npos);
}

TEST_P(PortableContract, ImpossibleVariablesAreRefused) {
  for (const auto& variable : {EnvVar{"", "x"}, EnvVar{"A=B", "x"}, EnvVar{std::string("A\0B", 3), "x"},
                               EnvVar{"A", std::string("x\0y", 3)}}) {
    auto request = portable({"env"});
    request.env.push_back(variable);
    const auto error = must_fail(run(request));
    EXPECT_EQ(error.kind, ErrorKind::invalid_request);
    EXPECT_EQ(error.step, "env");
  }
}

TEST_P(PortableContract, OutputOfAnySizeIsWhole) {
  config_.runtime.max_output = Bytes{11 * kMebibyte};
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, 10 * kMebibyte}) {
    const auto output = run_portable({"fill", std::to_string(size)});
    EXPECT_EQ(output.out.bytes, std::string(size, 'a'));
    EXPECT_EQ(output.exit_code, 0);
  }
  const auto output = run_portable({"both"});
  EXPECT_EQ(output.out.bytes, "out");
  EXPECT_EQ(output.err.bytes, "err");
}

TEST_P(PortableContract, HeadAndTailAreKeptOfEachStream) {
  for (const std::string fd : {"1", "2"}) {
    auto request = portable({"fill", "300001", fd});
    request.max_output = Bytes{1000};
    const auto output = must_end(run(request));
    const auto& stream = fd == "1" ? output.out : output.err;
    EXPECT_EQ(stream.total_bytes, 300'001U);
    EXPECT_EQ(stream.bytes.size(), 1000U);
    EXPECT_EQ(stream.gap_at, 500U);
    EXPECT_EQ(stream.omitted, 299'001U);
    request.max_output = Bytes{0};
    EXPECT_EQ(must_end(run(request)).out.bytes, "");
  }
}

TEST_P(PortableContract, StdinArrivesByteForByteAndEnds) {
  EXPECT_EQ(run_portable({"copy"}).out.total_bytes, 0U) << "without any";
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(run_with_stdin({"copy"}, bytes).out.bytes, bytes);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{65'536}, std::size_t{65'537}, 3 * kMebibyte}) {
    EXPECT_EQ(run_with_stdin({"count"}, std::string(size, '\0')).out.bytes, std::to_string(size) + "\n");
  }
}

TEST_P(PortableContract, AMegabyteForAProgramThatNeverReadsHangsNothing) {
  EXPECT_EQ(run_with_stdin({"exit", "3"}, std::string(kMebibyte, 'x')).exit_code, 3);
  const auto output = run_with_stdin({"line"}, "first\n" + std::string(kMebibyte, 'x'));
  EXPECT_EQ(output.out.bytes, "first\n");
  EXPECT_EQ(output.exit_code, 6);
}

TEST_P(PortableContract, DescriptorsAreGivenAsTheyAre) {
  const TempDir dir;
  const base::Fd in(open(dir.write("in", "one\ntwo\n").c_str(), O_RDONLY | O_CLOEXEC));
  const base::Fd out(open((dir / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  auto request = portable({"line"});
  request.input = StdinFd{in.get()};
  request.out = OutputFd{out.get()};
  const auto output = must_end(run(request));
  EXPECT_EQ(output.exit_code, 6);
  EXPECT_EQ(output.out.total_bytes, 0U);
  EXPECT_EQ(read_file(dir / "out"), "one\n");
  // Borrowed, and one open file: the command's reading moved the offset.
  if (backend().passes_descriptors) {
    EXPECT_EQ(lseek(in.get(), 0, SEEK_CUR), 4);
  }
  request.input = StdinFd{987};
  EXPECT_EQ(must_fail(run(request)).kind, ErrorKind::invalid_request);
}

TEST_P(PortableContract, WhatCannotBeStartedIsSaid) {
  for (const std::string file : {"prx-no-such-program", "/nonexistent/program", "./prx-no-such-program"}) {
    const auto error = must_fail(run(program(file, {"x"})));
    EXPECT_EQ(error.kind, ErrorKind::not_found) << error;
    EXPECT_EQ(error.step, "exec");
    EXPECT_EQ(error.subject, file);
    EXPECT_EQ(error.os_errno, ENOENT);
    EXPECT_FALSE(error.detail.empty());
  }
  for (const auto& request : {program(""), portable({std::string("a\0b", 3)}),
                              program(std::string("a\0b", 3)), program("/" + std::string(5000, 'x'))}) {
    const auto error = must_fail(run(request));
    EXPECT_EQ(error.kind, ErrorKind::invalid_request) << error;
    EXPECT_EQ(error.step, "exec");
  }
  const TempDir dir;
  EXPECT_EQ(must_fail(run(program(dir.path()))).kind, ErrorKind::not_executable);
  EXPECT_EQ(must_fail(run(program(dir.write("text", "text", 0755)))).kind, ErrorKind::not_executable);
}

TEST_P(PortableContract, ARequestNoKernelTakesIsRefusedByItself) {
  std::vector<std::string> args{"exit", "0"};
  for (int i = 0; i < 100; ++i) args.emplace_back(100'000, 'x');
  const auto error = must_fail(run(portable(args)));
  EXPECT_EQ(error.kind, ErrorKind::invalid_request);
  EXPECT_EQ(error.step, "request");
}

TEST_P(PortableContract, AWorkingDirectoryIsThere) {
  auto request = portable({"exit", "4"});
  const auto error_in = [&](const std::string& directory) {
    request.working_dir = directory;
    return must_fail(run(request));
  };
  const auto missing = error_in("/nonexistent/directory");
  EXPECT_EQ(missing.kind, ErrorKind::not_found);
  EXPECT_EQ(missing.step, "chdir");
  EXPECT_EQ(missing.subject, "/nonexistent/directory");
  EXPECT_EQ(missing.os_errno, ENOENT);
  EXPECT_EQ(error_in("/etc/passwd").kind, ErrorKind::invalid_request);
  EXPECT_EQ(error_in(std::string("/tmp\0/x", 7)).kind, ErrorKind::invalid_request);
  EXPECT_EQ(error_in("/proc/self/root").kind, ErrorKind::invalid_request);
  request.working_dir = "/tmp";
  EXPECT_EQ(must_end(run(request)).exit_code, 4);
}

class PortableTimeContract : public ExecutionContract {};
PRX_PORTABLE_CONTRACT(PortableTimeContract);

TEST_P(PortableTimeContract, JustUnderAndJustOver) {
  auto request = portable({"sleep", "100"});
  request.timeout = seconds(10);
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
  request = portable({"sleep", "10000"});
  request.timeout = milliseconds(100);
  EXPECT_TRUE(is_timed_out(must_end(run(request))));
  request.timeout = milliseconds(1);
  EXPECT_TRUE(is_timed_out(must_end(run(request))));
}

TEST_P(PortableTimeContract, WhatWasPrintedBeforeTheDeadlineIsKept) {
  auto request = portable({"say", "before"});
  request.timeout = milliseconds(400);
  const auto output = must_end(run(request));
  ASSERT_TRUE(is_timed_out(output));
  EXPECT_EQ(std::get<TimedOut>(output.ending).limit, milliseconds(400));
  EXPECT_EQ(output.exit_code, 124);
  EXPECT_EQ(output.out.bytes, "before");
  EXPECT_GE(output.duration, milliseconds(400));
  EXPECT_LT(output.duration, kAtOnce);
}

TEST_P(PortableTimeContract, TheRequestsWinsOverTheToolsOverTheDefault) {
  config_.runtime.default_timeout = seconds(1);
  config_.runtime.tool_timeouts["slow"] = seconds(30);
  config_.runtime.tool_timeouts["endless"] = seconds(0);
  auto request = portable({"sleep", "1500"});
  request.timeout.reset();
  EXPECT_TRUE(is_timed_out(must_end(run(request))));
  request.tool = "slow";
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
  request.tool = "endless";
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
  request.timeout = milliseconds(200);
  EXPECT_TRUE(is_timed_out(must_end(run(request))));
  request.tool = "unknown";
  request.timeout = milliseconds(0);
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
}

TEST_P(PortableTimeContract, ImpossibleTimesAreRefused) {
  auto request = portable({"exit", "0"});
  request.timeout = milliseconds(-1);
  EXPECT_EQ(must_fail(run(request)).kind, ErrorKind::invalid_request);
  request.timeout = milliseconds::max();
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
}

}  // namespace
}  // namespace prx::test
