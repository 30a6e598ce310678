#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "base/fd.hpp"
#include "contract/contract.hpp"
#include "support/eventually.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

std::span<const char> bytes_of(std::string_view text) {
  return {text.data(), text.size()};
}

class StdinContract : public ExecutionContract {};
PRX_CONTRACT(StdinContract);

TEST_P(StdinContract, WithoutStdinTheCommandReadsItsEnd) {
  const auto output = must_end(run(program("cat")));
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out.total_bytes, 0U);
}

TEST_P(StdinContract, AMegabyteForAProgramThatNeverReadsHangsNothing) {
  auto request = probe("noop", {"3"});
  request.input = StdinBytes{std::string(kMebibyte, 'x')};
  EXPECT_EQ(must_end(run(request)).exit_code, 3);
  request = shell("sleep 0.2; exit 4");
  request.input = StdinBytes{std::string(kMebibyte, 'x')};
  EXPECT_EQ(must_end(run(request)).exit_code, 4);
}

TEST_P(StdinContract, ACommandMayCloseItsStdinEarly) {
  auto request = shell("read -r line; exec 0<&-; echo \"$line\"; sleep 0.2; exit 5");
  request.input = StdinBytes{"first\n" + std::string(kMebibyte, 'x')};
  const auto output = must_end(run(request));
  EXPECT_EQ(output.out.bytes, "first\n");
  EXPECT_EQ(output.exit_code, 5);
}

TEST_P(StdinContract, ADescriptorIsGivenAsItIs) {
  const TempDir dir;
  const base::Fd file(open(dir.write("input", "one\ntwo\n").c_str(), O_RDONLY | O_CLOEXEC));
  if (!backend().passes_descriptors) {
    auto request = program("cat");
    request.input = StdinFd{file.get()};
    EXPECT_EQ(must_end(run(request)).out.bytes, "one\ntwo\n");
    return;
  }
  auto request = shell("head -c 4; readlink /proc/self/fd/0");
  request.input = StdinFd{file.get()};
  EXPECT_EQ(must_end(run(request)).out.bytes, "one\n" + (dir / "input") + "\n");
  // Borrowed, and one open file: the command's reading moved the offset.
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 4);
}

TEST_P(StdinContract, OutputGoesToADescriptorAsItIs) {
  const TempDir dir;
  const base::Fd file(open((dir / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  auto request = shell("echo out; echo err >&2");
  request.out = OutputFd{file.get()};
  const auto output = must_end(run(request));
  EXPECT_EQ(read_file(dir / "out"), "out\n");
  EXPECT_EQ(output.out.total_bytes, 0U);
  EXPECT_EQ(output.err.bytes, "err\n");
}

TEST_P(StdinContract, AClosedDescriptorIsAnError) {
  auto request = program("cat");
  request.input = StdinFd{987};
  EXPECT_EQ(must_fail(run(request)).kind, ErrorKind::invalid_request);
  request.input = NoStdin{};
  request.err = OutputFd{-1};
  EXPECT_EQ(must_fail(run(request)).kind, ErrorKind::invalid_request);
}

class StdinStreamContract : public HandleContract {
 protected:
  ExecutionRequest streamed(ExecutionRequest request) {
    request.input = StdinStream{};
    return request;
  }
};
PRX_HANDLE_CONTRACT(StdinStreamContract);

TEST_P(StdinStreamContract, RoomComesBackAsTheCommandReads) {
  auto execution = start(streamed(program("wc", {"-c"})));
  const std::string piece(4 * kMebibyte, 'x');
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(eventually(kLong, [&] { return execution.write_stdin(bytes_of(piece)).has_value(); }));
  }
  must(execution.close_stdin());
  EXPECT_EQ(must_end(execution.wait()).out.bytes, std::to_string(8 * piece.size()) + "\n");
}

TEST_P(StdinStreamContract, WritingToACommandThatReadsNoMoreIsSaid) {
  auto execution = start(streamed(shell("exec 0<&-; sleep 300")));
  EXPECT_TRUE(eventually(kAtOnce, [&] {
    const auto written = execution.write_stdin(bytes_of("more"));
    return !written && written.error().kind == ErrorKind::disconnected;
  }));
  execution.cancel();
  EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
  EXPECT_EQ(execution.write_stdin(bytes_of("late")).error().kind, ErrorKind::disconnected);
  EXPECT_EQ(execution.close_stdin().error().kind, ErrorKind::disconnected);
}

TEST_P(StdinStreamContract, WritingAfterTheEndIsSaid) {
  auto execution = start(streamed(shell("cat; sleep 0.1")));
  must(execution.write_stdin(bytes_of("all")));
  must(execution.close_stdin());
  EXPECT_EQ(execution.write_stdin(bytes_of("more")).error().kind, ErrorKind::disconnected);
  must(execution.close_stdin());
  EXPECT_EQ(must_end(execution.wait()).out.bytes, "all");
}

}  // namespace
}  // namespace prx::test
