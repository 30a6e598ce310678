// The handle of a running command, on every backend.
#include <atomic>
#include <csignal>
#include <thread>

#include "contract/contract.hpp"
#include "contract/events.hpp"
#include "support/eventually.hpp"
#include "support/host_processes.hpp"

namespace prx::test {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

std::span<const char> bytes_of(std::string_view text) {
  return {text.data(), text.size()};
}

class PortableHandle : public HandleContract {
 protected:
  ExecutionRequest streamed(std::vector<std::string> args) {
    auto request = portable(std::move(args));
    request.input = StdinStream{};
    return request;
  }
};
PRX_PORTABLE_HANDLE_CONTRACT(PortableHandle);

TEST_P(PortableHandle, WhatIsWrittenIsReadInOrderUntilTheEnd) {
  auto execution = start(streamed({"copy"}));
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    const auto line = std::to_string(i) + '\n';
    expected += line;
    must(execution.write_stdin(bytes_of(line)));
  }
  must(execution.close_stdin());
  EXPECT_EQ(execution.write_stdin(bytes_of("more")).error().kind, ErrorKind::disconnected);
  EXPECT_EQ(must_end(execution.wait()).out.bytes, expected);
}

TEST_P(PortableHandle, NothingWrittenIsNotTheEnd) {
  auto request = streamed({"copy"});
  request.timeout = std::chrono::milliseconds(300);
  auto execution = start(request);
  EXPECT_TRUE(is_timed_out(must_end(execution.wait())));
}

TEST_P(PortableHandle, AFullQueueTakesNothingOfWhatIsTooMuch) {
  auto execution = start(streamed({"later", "500"}));
  const std::string eight(8 * kMebibyte, 'x');
  EXPECT_EQ(execution.write_stdin(bytes_of(eight + "x")).error().kind, ErrorKind::exhausted);
  must(execution.write_stdin(bytes_of(eight)));
  // A pipe takes a little at once; a second such piece fits in no case.
  EXPECT_EQ(execution.write_stdin(bytes_of(eight)).error().kind, ErrorKind::exhausted);
  must(execution.close_stdin());
  EXPECT_EQ(must_end(execution.wait()).out.bytes, std::to_string(eight.size()) + "\n");
}

TEST_P(PortableHandle, WritingWithoutAStreamIsRefused) {
  auto execution = start(portable({"sleep", "200"}));
  EXPECT_EQ(execution.write_stdin(bytes_of("x")).error().kind, ErrorKind::invalid_request);
  EXPECT_EQ(execution.close_stdin().error().kind, ErrorKind::invalid_request);
  (void)must_end(execution.wait());
}

TEST_P(PortableHandle, OutputComesWhileTheCommandRuns) {
  OutputLog log;
  auto execution = start(streamed({"copy"}), log.events());
  for (const std::string line : {"first\n", "second\n"}) {
    must(execution.write_stdin(bytes_of(line)));
    EXPECT_TRUE(log.wait_for(line));
  }
  must(execution.close_stdin());
  (void)must_end(execution.wait());
  ASSERT_TRUE(log.wait_for_end());
  EXPECT_EQ(log.endings(), 1);
  EXPECT_FALSE(log.output_after_end());
}

TEST_P(PortableHandle, MuchOutputIsDeliveredWholeAndAPausedConsumerIsToldWhatItMissed) {
  std::uint64_t seen = 0;
  auto whole = start(portable({"fill", std::to_string(32 * kMebibyte)}),
                     {.output = [&](const OutputChunk& chunk) { seen += chunk.data.size(); }});
  EXPECT_EQ(must_end(whole.wait()).out.total_bytes, 32 * kMebibyte);
  EXPECT_EQ(seen, 32 * kMebibyte);
  OutputLog log;
  auto request = portable({"fill", std::to_string(4 * kMebibyte)});
  request.max_output = Bytes{64U << 10U};
  auto execution = start(request, log.events());
  execution.pause_output();
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(log.wait_for_end());
  EXPECT_EQ(log.text().size() + log.missed(), output.out.total_bytes);
}

TEST_P(PortableHandle, CancellingEndsIt) {
  for (const auto& [signal, code] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    OutputLog log;
    auto execution = start(portable({"say", "ready"}), log.events());
    ASSERT_TRUE(log.wait_for("ready"));
    execution.cancel(signal);
    const auto output = must_end(execution.wait());
    ASSERT_TRUE(is_cancelled(output));
    EXPECT_EQ(std::get<Cancelled>(output.ending).signal, signal);
    EXPECT_EQ(output.exit_code, code);
    EXPECT_EQ(output.out.bytes, "ready");
    EXPECT_LT(output.duration, kAtOnce);
  }
}

TEST_P(PortableHandle, CancellingWithWhatIsNoSignalCountsAsSigterm) {
  for (const int number : {0, -7, 65, 1000}) {
    auto execution = start(portable({"say", "ready"}));
    execution.cancel(number);
    const auto output = must_end(execution.wait());
    ASSERT_TRUE(is_cancelled(output));
    EXPECT_EQ(output.exit_code, 143);
  }
}

TEST_P(PortableHandle, CancellingRightAfterTheStart) {
  for (int i = 0; i < 50; ++i) {
    auto execution = start(portable({"say", "ready"}));
    execution.cancel();
    EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
  }
}

TEST_P(PortableHandle, AfterTheEndNothingHappens) {
  auto execution = start(portable({"exit", "7"}));
  EXPECT_EQ(must_end(execution.wait()).exit_code, 7);
  execution.cancel();
  EXPECT_EQ(execution.signal(SIGTERM).error().kind, ErrorKind::disconnected);
  EXPECT_EQ(must_end(execution.wait()).exit_code, 7);
}

TEST_P(PortableHandle, ADeadlySignalIsHowItEnded) {
  OutputLog log;
  auto execution = start(portable({"say", "ready"}), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  for (const int signal : {-1, 0, 65, 1000})
    EXPECT_EQ(execution.signal(signal).error().kind, ErrorKind::invalid_request);
  must(execution.signal(SIGKILL));
  const auto output = must_end(execution.wait());
  ASSERT_TRUE(std::holds_alternative<Signaled>(output.ending)) << to_string(output.ending);
  EXPECT_EQ(output.exit_code, 137);
}

TEST_P(PortableHandle, ADroppedHandleCancels) {
  OutputLog first;
  OutputLog second;
  {
    auto execution = start(portable({"say", "ready"}), first.events());
    ASSERT_TRUE(first.wait_for("ready"));
    execution = start(portable({"say", "ready"}), second.events());
    EXPECT_TRUE(first.wait_for_end()) << "what an assigned handle held";
    ASSERT_TRUE(second.wait_for("ready"));
  }
  EXPECT_TRUE(second.wait_for_end());
  EXPECT_EQ(first.endings() + second.endings(), 2);
}

TEST_P(PortableHandle, ADestroyedRuntimeEndsWhatRuns) {
  OutputLog log;
  auto execution = start(portable({"say", "ready"}), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  destroy_runtime();
  EXPECT_EQ(log.endings(), 1);
  EXPECT_TRUE(is_cancelled(must_end(execution.wait()))) << "the handle may outlive its runtime";
}

TEST_P(PortableHandle, SeveralThreadsMayWait) {
  auto execution = start(portable({"sleep", "300"}));
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto result = execution.wait();
      if (result && result->exit_code == 0) ++right;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
}

TEST_P(PortableHandle, KillingTheInitEndsTheCommandAndNothingElse) {
  OutputLog log;
  auto execution = start(portable({"say", "ready"}), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  if (inits_of_this_process().empty()) return;  // only root sees them
  kill_the_inits();
  const auto error = must_fail(execution.wait());
  EXPECT_EQ(error.kind, ErrorKind::disconnected) << error;
  EXPECT_EQ(error.step, "slot");
  EXPECT_EQ(must_end(runtime().execute(portable({"exit", "5"}))).exit_code, 5) << "a dead slot is replaced";
}

TEST_P(PortableHandle, ATerminalIsGiven) {
  auto request = streamed({"copy"});
  request.terminal = Terminal{24, 80};
  auto execution = start(request);
  must(execution.write_stdin(bytes_of("line\n")));
  must(execution.close_stdin());
  const auto output = must_end(execution.wait());
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out.bytes, "line\r\nline\r\n");
}

class PortableMany : public HandleContract {};
PRX_PORTABLE_CONCURRENT_CONTRACT(PortableMany);

TEST_P(PortableMany, SixtyFourAtOnceFromManyThreads) {
  constexpr int kThreads = 64;
  auto& backend_of_all = runtime();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto text = std::to_string(i);
      for (int round = 0; round < 4; ++round) {
        auto request = portable({"copy"});
        request.input = StdinBytes{text};
        const auto result =
            (i + round) % 2 == 0
                ? backend_of_all.execute(std::move(request))
                : backend_of_all.start(std::move(request), {}).and_then([](Execution e) { return e.wait(); });
        if (result && result->exit_code == 0 && result->out.bytes == text) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads * 4);
}

TEST_P(PortableMany, SixtyFourAtOnceFromOneThread) {
  std::vector<Execution> running;
  for (int i = 0; i < 64; ++i) running.push_back(start(portable({"sleep", std::to_string(300 + i)})));
  for (auto& execution : running) EXPECT_EQ(must_end(execution.wait()).exit_code, 0);
}

TEST_P(PortableMany, ADestroyedRuntimeEndsThemAll) {
  std::vector<Execution> running;
  for (int i = 0; i < 32; ++i) running.push_back(start(portable({"say", "ready"})));
  destroy_runtime();
  for (auto& execution : running) EXPECT_TRUE(is_cancelled(must_end(execution.wait())));
}

TEST_P(PortableMany, APoolGivesWarmSlots) {
  config_.runtime.native.pool = 4;
  config_.runtime.wasm.pool = 4;
  (void)must_end(runtime().execute(portable({"exit", "0"})));
  int warm = 0;
  for (int i = 0; i < 16; ++i) {
    warm += must_end(runtime().execute(portable({"exit", "0"}))).slot == SlotKind::warm ? 1 : 0;
  }
  EXPECT_EQ(warm, 16);
}

}  // namespace
}  // namespace prx::test
