#include <fstream>
#include <sstream>

#include "contract/contract.hpp"
#include "contract/events.hpp"
#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

class OutputContract : public ExecutionContract {};
PRX_CONTRACT(OutputContract);

TEST_P(OutputContract, NothingOneByteAndBothStreams) {
  EXPECT_EQ(must_end(run(probe("noop"))).out.total_bytes, 0U);
  EXPECT_EQ(must_end(run(shell("printf x"))).out.bytes, "x");
  const auto output = must_end(run(shell("echo out; echo err >&2; echo more")));
  EXPECT_EQ(output.out.bytes, "out\nmore\n");
  EXPECT_EQ(output.err.bytes, "err\n");
  EXPECT_FALSE(output.out.truncated());
}

TEST_P(OutputContract, EveryByteArrives) {
  const auto output = must_end(run(shell("printf 'a\\000b\\377\\r\\n'")));
  EXPECT_EQ(output.out.bytes, std::string("a\0b\xFF\r\n", 6));
  EXPECT_EQ(output.out.text(), std::string("a\0b\xEF\xBF\xBD\r\n", 8));
}

TEST_P(OutputContract, TheCapIsExactAndTheTextValid) {
  config_.runtime.max_output = Bytes{kMebibyte};
  const auto fill = [](std::uint64_t count) {
    return "head -c " + std::to_string(count) + " /dev/zero | tr '\\0' a; printf é";
  };
  // One byte short of the cap and a character of two: one byte is left out, and with it the character is cut.
  const auto over = must_end(run(shell(fill(kMebibyte - 1))));
  EXPECT_EQ(over.out.total_bytes, kMebibyte + 1);
  EXPECT_EQ(over.out.bytes.size(), kMebibyte);
  EXPECT_EQ(over.out.omitted, 1U);
  EXPECT_TRUE(over.out.bytes.ends_with("aé"));
  EXPECT_EQ(over.out.text().find("\xEF\xBF\xBD"), std::string::npos);
  const auto exact = must_end(run(shell(fill(kMebibyte - 2))));
  EXPECT_EQ(exact.out.total_bytes, kMebibyte);
  EXPECT_FALSE(exact.out.truncated());
}

TEST_P(OutputContract, ACharacterCutByTheGapIsLeftOutWhole) {
  auto request = shell("printf 'ééééé'");  // 10 bytes
  for (std::uint64_t cap = 1; cap <= 10; ++cap) {
    request.max_output = Bytes{cap};
    const auto output = must_end(run(request));
    EXPECT_EQ(output.out.bytes.size(), cap);
    EXPECT_EQ(output.out.omitted, 10 - cap);
    EXPECT_EQ(output.out.text().find("\xEF\xBF\xBD"), std::string::npos) << output.out.text();
  }
}

TEST_P(OutputContract, HeadAndTailAreKeptOfEachStream) {
  auto request = shell("seq 1 100000; seq 1 100000 >&2");
  request.max_output = Bytes{1000};
  const auto output = must_end(run(request));
  for (const auto* stream : {&output.out, &output.err}) {
    EXPECT_EQ(stream->total_bytes, 588'895U);
    EXPECT_EQ(stream->bytes.size(), 1000U);
    EXPECT_EQ(stream->gap_at, 500U);
    EXPECT_EQ(stream->omitted, 587'895U);
    EXPECT_TRUE(stream->bytes.starts_with("1\n2\n3\n"));
    EXPECT_TRUE(stream->bytes.ends_with("99999\n100000\n"));
    EXPECT_NE(stream->text().find("587895"), std::string::npos);
  }
}

TEST_P(OutputContract, WhatWasPrintedBeforeATimeoutIsKept) {
  auto request = shell("echo before; echo error >&2; sleep 300 | cat");
  request.timeout = std::chrono::milliseconds(400);
  const auto output = must_end(run(request));
  EXPECT_TRUE(is_timed_out(output));
  EXPECT_EQ(output.out.bytes, "before\n");
  EXPECT_EQ(output.err.bytes, "error\n");
}

/// Kibibytes of a line of /proc/self/status.
std::uint64_t status_kib(const std::string& name) {
  std::istringstream lines(read_file("/proc/self/status"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
  }
  return 0;
}

// What the process may grow by; a sanitizer keeps a record of every byte that was touched.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kMayGrowKib = 32U << 10U;
#else
constexpr std::uint64_t kMayGrowKib = 8U << 10U;
#endif

TEST_P(OutputContract, MuchOutputWithoutANewlineTakesNoMemory) {
  (void)must_end(run(shell("exit 0")));
  std::ofstream("/proc/self/clear_refs") << '5';  // the peak starts again from here
  const auto before = status_kib("VmRSS");
  const auto output = must_end(run(probe("writer", {"64"})));
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out.total_bytes, 64 * kMebibyte);
  EXPECT_EQ(output.out.bytes, std::string(kMebibyte, 'a'));
  EXPECT_LT(status_kib("VmHWM"), before + kMayGrowKib);
}

class EventsContract : public HandleContract {};
PRX_HANDLE_CONTRACT(EventsContract);

TEST_P(EventsContract, OutputComesInOrderAndWholeThenTheEnd) {
  OutputLog log;
  auto execution = start(shell("seq 1 200000; seq 1 1000 >&2"), log.events());
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(log.wait_for_end());
  std::string expected;
  for (int i = 1; i <= 200'000; ++i) expected += std::to_string(i) + '\n';
  EXPECT_TRUE(log.text() == expected);
  EXPECT_EQ(log.text(Channel::err).size(), output.err.total_bytes);
  EXPECT_EQ(log.missed(), 0U);
  EXPECT_EQ(log.endings(), 1);
  EXPECT_FALSE(log.output_after_end());
}

TEST_P(EventsContract, OutputComesWhileTheCommandRuns) {
  OutputLog log;
  auto request = shell("echo first; read -r line; echo $line");
  request.input = StdinStream{};
  auto execution = start(request, log.events());
  ASSERT_TRUE(log.wait_for("first\n"));
  must(execution.write_stdin(std::string_view("second\n")));
  EXPECT_TRUE(log.wait_for("second\n"));
  (void)must_end(execution.wait());
}

TEST_P(EventsContract, APausedConsumerNeverBlocksTheCommand) {
  const TempDir dir;
  OutputLog log;
  auto request = shell("read -r go; " + probe_path("writer") + " 4; touch written; read -r go; echo end");
  request.working_dir = dir.path();
  request.input = StdinStream{};
  request.max_output = Bytes{64U << 10U};
  auto execution = start(request, log.events());
  execution.pause_output();
  must(execution.write_stdin(std::string_view("go\n")));
  ASSERT_TRUE(eventually(kLong, [&] { return std::ifstream(dir / "written").is_open(); }));
  EXPECT_EQ(log.text(), "");
  execution.resume_output();
  must(execution.write_stdin(std::string_view("go\n")));
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(log.wait_for_end());
  EXPECT_EQ(output.out.total_bytes, 4 * kMebibyte + 4);
  EXPECT_GT(log.missed(), 0U);
  EXPECT_EQ(log.text().size() + log.missed(), output.out.total_bytes);
  EXPECT_TRUE(log.text().ends_with("end\n"));
}

TEST_P(EventsContract, APauseThatTheBufferCoversLosesNothing) {
  OutputLog log;
  auto request = shell("read -r go; seq 1 1000; read -r go; echo end");
  request.input = StdinStream{};
  auto execution = start(request, log.events());
  execution.pause_output();
  must(execution.write_stdin(std::string_view("go\n")));
  execution.resume_output();
  execution.pause_output();
  execution.resume_output();
  must(execution.write_stdin(std::string_view("go\n")));
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(log.wait_for_end());
  EXPECT_EQ(log.missed(), 0U);
  EXPECT_EQ(log.text(), output.out.bytes);
}

TEST_P(EventsContract, WhatWaitsAtTheEndComesBeforeIt) {
  OutputLog log;
  auto request = shell("read -r go; echo told");
  request.input = StdinStream{};
  auto execution = start(request, log.events());
  execution.pause_output();
  must(execution.write_stdin(std::string_view("go\n")));
  EXPECT_EQ(must_end(execution.wait()).out.bytes, "told\n");
  ASSERT_TRUE(log.wait_for_end());
  EXPECT_EQ(log.text(), "told\n");
  EXPECT_FALSE(log.output_after_end());
}

TEST_P(EventsContract, AFailedSetUpIsToldOnceAsAnError) {
  OutputLog log;
  auto started = runtime().start(program("/nonexistent/program"), log.events());
  if (started) {
    EXPECT_EQ(must_fail(started->wait()).kind, ErrorKind::not_found);
    ASSERT_TRUE(log.wait_for_end());
    EXPECT_EQ(log.endings(), 1);
  } else {
    EXPECT_EQ(started.error().kind, ErrorKind::not_found);
    EXPECT_EQ(log.endings(), 0);
  }
}

}  // namespace
}  // namespace prx::test
