// Much, slow and broken streams: whatever is at the other end, the command sees what it would see without
// prx.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "contract/contract.hpp"
#include "contract/events.hpp"
#include "os/pipe.hpp"
#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/proc_table.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
constexpr std::size_t kMuch = 64 * kMebibyte;

std::span<const char> bytes_of(std::string_view text) {
  return {text.data(), text.size()};
}

/// Reads to the end, or to `most` bytes.
std::string read_all(int fd, std::size_t most = SIZE_MAX) {
  std::string text;
  std::array<char, 65'536> buffer;
  while (text.size() < most) {
    const auto size = read(fd, buffer.data(), std::min(buffer.size(), most - text.size()));
    if (size <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return text;
}

/// Also when a signal cuts a write short, as the end of a host's child does.
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto size = write(fd, text.data(), text.size());
    if (size < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

/// Not what any two neighbouring blocks have in common, so that one lost or swapped is seen.
std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>((i * 2654435761U) >> 13U);
  return text;
}

class StreamsContract : public ExecutionContract {
 protected:
  void SetUp() override {
    ExecutionContract::SetUp();
    config_.runtime.max_output = Bytes{2 * kMuch};
  }
};
PRX_CONTRACT(StreamsContract);

TEST_P(StreamsContract, MuchGoesBothWaysAtOnce) {
  auto request = program("cat");
  const auto sent = pattern(kMuch);
  request.input = StdinBytes{sent};
  EXPECT_TRUE(must_end(run(request)).out.bytes == sent);
}

TEST_P(StreamsContract, MuchFromAndToFiles) {
  const TempDir dir;
  const auto sent = pattern(kMuch / 4);
  const base::Fd from(open(dir.write("from", sent).c_str(), O_RDONLY | O_CLOEXEC));
  const base::Fd to(open((dir / "to").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  auto request = program("cat");
  request.input = StdinFd{from.get()};
  request.out = OutputFd{to.get()};
  const auto output = must_end(run(request));
  EXPECT_EQ(output.out.total_bytes, 0U);
  EXPECT_TRUE(read_file(dir / "to") == sent);
  EXPECT_EQ(lseek(to.get(), 0, SEEK_CUR), static_cast<off_t>(sent.size()));
}

TEST_P(StreamsContract, AppendingToAFileGoesOnWhereItEnds) {
  const TempDir dir;
  const base::Fd to(open(dir.write("log", "before\n").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  auto request = shell("echo out; echo err >&2");
  request.out = OutputFd{to.get()};
  request.err = OutputFd{to.get()};
  (void)must_end(run(request));
  const auto text = read_file(dir / "log");
  EXPECT_EQ(text.size(), 15U) << text;
  EXPECT_TRUE(text.starts_with("before\n"));
}

TEST_P(StreamsContract, PipesAndSocketsAsGivenAreNotChanged) {
  auto in = os::open_pipe().value();
  auto out = os::open_socket_pair(SOCK_STREAM).value();
  const auto sent = pattern(kMebibyte);
  std::thread writer([&] {
    EXPECT_TRUE(write_all(in.second.get(), sent));
    in.second.reset();
  });
  std::string received;
  std::thread reader([&] { received = read_all(out.first.get()); });
  auto request = program("cat");
  request.input = StdinFd{in.first.get()};
  request.out = OutputFd{out.second.get()};
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
  EXPECT_EQ(fcntl(in.first.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(fcntl(out.second.get(), F_GETFL) & O_NONBLOCK, 0);
  out.second.reset();
  writer.join();
  reader.join();
  EXPECT_TRUE(received == sent);
}

TEST_P(StreamsContract, ASourceThatSaysNothingDoesNotHoldTheCommand) {
  const auto in = os::open_pipe().value();
  auto request = probe("noop", {"3"});
  request.input = StdinFd{in.first.get()};
  EXPECT_EQ(must_end(run(request)).exit_code, 3);
}

TEST_P(StreamsContract, AReaderThatGoesAwayEndsTheWriter) {
  auto pipe = os::open_pipe().value();
  std::thread reader([&] {
    EXPECT_EQ(read_all(pipe.first.get(), kMebibyte).size(), kMebibyte);
    pipe.first.reset();
  });
  auto request = program("yes");
  request.out = OutputFd{pipe.second.get()};
  const auto output = must_end(run(request));
  reader.join();
  ASSERT_TRUE(std::holds_alternative<Signaled>(output.ending)) << to_string(output.ending);
  EXPECT_EQ(std::get<Signaled>(output.ending).signal, SIGPIPE);
}

TEST_P(StreamsContract, ASlowReaderLosesNothing) {
  auto pipe = os::open_pipe().value();
  std::string received;
  std::thread reader([&] {
    std::array<char, 4096> buffer;
    for (ssize_t size = 1; size > 0;) {
      size = read(pipe.first.get(), buffer.data(), buffer.size());
      if (size > 0) received.append(buffer.data(), static_cast<std::size_t>(size));
      if (received.size() % (16 * buffer.size()) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  auto request = shell("seq 1 200000");
  request.out = OutputFd{pipe.second.get()};
  EXPECT_EQ(must_end(run(request)).exit_code, 0);
  pipe.second.reset();
  reader.join();
  EXPECT_EQ(received.size(), 1'288'895U);
  EXPECT_TRUE(received.ends_with("199999\n200000\n"));
}

TEST_P(StreamsContract, AReaderThatNeverReadsOutlastsNoDeadline) {
  const auto pipe = os::open_pipe().value();
  auto request = program("yes");
  request.out = OutputFd{pipe.second.get()};
  request.timeout = std::chrono::milliseconds(300);
  const auto output = must_end(run(request));
  EXPECT_TRUE(is_timed_out(output)) << to_string(output.ending);
  EXPECT_FALSE(output.unresponsive);
}

TEST_P(StreamsContract, AFloodEndsAtItsDeadline) {
  auto request = shell("yes & yes >&2");
  request.timeout = std::chrono::milliseconds(300);
  request.max_output = Bytes{kMebibyte};
  request.input = StdinBytes{std::string(kMebibyte, 'x')};
  const auto output = must_end(run(request));
  EXPECT_TRUE(is_timed_out(output));
  EXPECT_GT(output.out.total_bytes, 0U);
  EXPECT_GT(output.err.total_bytes, 0U);
  EXPECT_FALSE(output.unresponsive);
}

TEST_P(StreamsContract, WhatIsWrittenLastArrives) {
  for (int i = 0; i < 20; ++i) {
    const auto output = must_end(run(shell("head -c 300000 /dev/zero; printf last; printf end >&2")));
    EXPECT_EQ(output.out.total_bytes, 300'004U);
    EXPECT_TRUE(output.out.bytes.ends_with("last"));
    EXPECT_EQ(output.err.bytes, "end");
  }
}

class FloodContract : public HandleContract {
 protected:
  /// Output, and a stdin that is never read, as long as it runs.
  Execution flood(OutputLog& log) {
    auto request = shell("echo $PPID; yes & yes >&2");
    request.input = StdinStream{};
    request.max_output = Bytes{kMebibyte};
    auto execution = start(std::move(request), log.events());
    must(execution.write_stdin(bytes_of(std::string(4 * kMebibyte, 'x'))));
    return execution;
  }
};
PRX_HANDLE_CONTRACT(FloodContract);

TEST_P(FloodContract, CancellingIsHeardInAFlood) {
  OutputLog log;
  auto execution = flood(log);
  ASSERT_TRUE(log.wait_for("y\n"));
  execution.cancel();
  const auto output = must_end(execution.wait());
  EXPECT_TRUE(is_cancelled(output));
  EXPECT_FALSE(output.unresponsive);
}

TEST_P(FloodContract, AnInitThatIsKilledInAFloodTakesItsCommandAlong) {
  OutputLog log;
  auto request = shell("read -r go; yes & yes >&2");
  request.input = StdinStream{};
  request.max_output = Bytes{kMebibyte};
  auto execution = start(request, log.events());
  // Its parent, from outside: a command in a pid namespace does not know it.
  pid_t killed = 0;
  ASSERT_TRUE(eventually(kAtOnce, [&] {
    for (const auto& one : processes_with(marker())) {
      if (one.name == "bash" || one.name == "sh") killed = one.parent;
    }
    return killed > 1;
  }));
  must(execution.write_stdin(bytes_of("go\n" + std::string(4 * kMebibyte, 'x'))));
  ASSERT_TRUE(log.wait_for("y\n"));
  ::kill(killed, SIGKILL);
  const auto error = must_fail(execution.wait());
  EXPECT_EQ(error.kind, ErrorKind::disconnected) << error;
  EXPECT_TRUE(eventually(kAtOnce, [&] { return processes_with(marker()).empty(); }));
}

TEST_P(FloodContract, AReaderThatNeverReadsOutlastsNoCancel) {
  const auto pipe = os::open_pipe().value();
  OutputLog log;
  // What is under way to a reader may be all that keeps an ended command's execution.
  for (const auto* line : {"echo started >&2; yes", "echo started >&2; head -c 200000 /dev/zero"}) {
    auto request = shell(line);
    request.out = OutputFd{pipe.second.get()};
    auto execution = start(request, log.events());
    ASSERT_TRUE(eventually(kAtOnce, [&] { return log.text(Channel::err).ends_with("started\n"); }));
    execution.cancel();
    EXPECT_FALSE(must_end(execution.wait()).unresponsive);
  }
}

TEST_P(FloodContract, ATerminalIsFloodedAndInterrupted) {
  OutputLog log;
  auto request = shell("trap 'stty size; exit 3' INT; yes");
  request.terminal = Terminal{24, 80};
  request.input = StdinStream{};
  request.max_output = Bytes{kMebibyte};
  auto execution = start(request, log.events());
  ASSERT_TRUE(log.wait_for("y\r\n"));
  must(execution.resize(50, 132));
  must(execution.write_stdin(bytes_of("\x03")));
  const auto output = must_end(execution.wait());
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_TRUE(output.out.bytes.ends_with("50 132\r\n"));
}

TEST_P(FloodContract, APausedConsumerOfAFloodIsToldWhatItMissed) {
  OutputLog log;
  auto request = probe("writer", {"32"});
  request.max_output = Bytes{kMebibyte};
  auto execution = start(request, log.events());
  execution.pause_output();
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(log.wait_for_end());
  EXPECT_EQ(output.out.total_bytes, 32 * kMebibyte);
  EXPECT_EQ(log.text().size() + log.missed(), 32 * kMebibyte);
}

}  // namespace
}  // namespace prx::test
