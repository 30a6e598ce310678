#include <algorithm>
#include <string_view>

#include "contract/contract.hpp"
#include "contract/events.hpp"
#include "support/eventually.hpp"
#include "support/proc_table.hpp"

namespace prx::test {
namespace {

std::span<const char> bytes_of(std::string_view text) {
  return {text.data(), text.size()};
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

class TerminalContract : public HandleContract {
 protected:
  ExecutionRequest on_terminal(ExecutionRequest request) {
    request.terminal = Terminal{24, 80};
    request.input = StdinStream{};
    request.env.push_back({"TERM", "dumb"});
    return request;
  }
};
PRX_HANDLE_CONTRACT(TerminalContract);

TEST_P(TerminalContract, AllThreeStreamsAreOneTerminal) {
  const std::string look =
      "for i in 0 1 2; do test -t $i && echo terminal; done; tty <&1; stty size; echo err >&2";
  auto plain = start(shell(look));
  EXPECT_FALSE(contains(must_end(plain.wait()).out.bytes, "terminal"));
  auto request = on_terminal(shell(look));
  request.terminal = Terminal{33, 99};
  auto execution = start(request);
  const auto output = must_end(execution.wait());
  EXPECT_EQ(output.out.bytes.find("terminal\r\nterminal\r\nterminal\r\n/dev/pts/"), 0U) << output.out.bytes;
  EXPECT_TRUE(contains(output.out.bytes, "\r\n33 99\r\nerr\r\n")) << output.out.bytes;
  EXPECT_EQ(output.err.total_bytes, 0U);
}

TEST_P(TerminalContract, ResizingIsToldAndSeen) {
  OutputLog log;
  auto execution =
      start(on_terminal(shell("trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done")),
            log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  must(execution.resize(50, 132));
  const auto output = must_end(execution.wait());
  EXPECT_TRUE(contains(output.out.bytes, "50 132")) << output.out.bytes;
  auto plain = start(shell("exit 0"));
  EXPECT_EQ(plain.resize(10, 10).error().kind, ErrorKind::invalid_request);
  (void)must_end(plain.wait());
}

TEST_P(TerminalContract, CtrlCReachesTheForeground) {
  // A builtin: of a signal that reaches its child before the child has become another program bash knows
  // nothing.
  OutputLog log;
  auto execution =
      start(on_terminal(shell("trap 'echo caught; exit 3' INT; echo ready; read -r line")), log.events());
  ASSERT_TRUE(log.wait_for("ready"));
  must(execution.write_stdin(bytes_of("\x03")));
  const auto output = must_end(execution.wait());
  EXPECT_TRUE(contains(output.out.bytes, "caught")) << output.out.bytes;
  EXPECT_EQ(output.exit_code, 3);
}

TEST_P(TerminalContract, AnInteractiveShellHasJobControl) {
  OutputLog log;
  auto execution = start(on_terminal(program("bash", {"--norc", "--noprofile", "-i"})), log.events());
  // What the shell computes is told from what the terminal echoes.
  must(execution.write_stdin(bytes_of("sleep 300\n")));
  ASSERT_TRUE(eventually(kAtOnce, [&] {
    const auto processes = processes_with(marker());
    return std::any_of(processes.begin(), processes.end(),
                       [](const auto& one) { return one.name == "sleep"; });
  }));
  must(execution.write_stdin(bytes_of("\x1a")));  // Ctrl-Z
  ASSERT_TRUE(log.wait_for("Stopped")) << log.text();
  must(execution.write_stdin(bytes_of("kill -KILL %1; wait %1; echo after-$((6 * 7))\n")));
  ASSERT_TRUE(log.wait_for("after-42")) << log.text();
  // A shell that has not yet seen its stopped job end refuses to leave once.
  must(execution.write_stdin(bytes_of("exit 9\nexit 9\n")));
  const auto output = must_end(execution.wait());
  EXPECT_EQ(output.exit_code, 9);
  EXPECT_FALSE(contains(output.out.bytes, "no job control")) << output.out.bytes;
}

TEST_P(TerminalContract, ClosingStdinIsTheEndOfFile) {
  auto execution = start(on_terminal(shell("cat; echo after")));
  must(execution.write_stdin(bytes_of("line\n")));
  must(execution.close_stdin());
  const auto output = must_end(execution.wait());
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out.bytes, "line\r\nline\r\nafter\r\n");
}

TEST_P(TerminalContract, WithoutStdinTheCommandReadsItsEnd) {
  auto request = on_terminal(shell("cat; echo after"));
  request.input = NoStdin{};
  auto execution = start(request);
  const auto output = must_end(execution.wait());
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out.bytes, "after\r\n");
}

TEST_P(TerminalContract, TheLastOutputIsKept) {
  for (int i = 0; i < 20; ++i) {
    auto execution = start(on_terminal(shell("printf '%05000d' 7; printf last")));
    const auto output = must_end(execution.wait());
    EXPECT_EQ(output.out.bytes.size(), 5004U);
    EXPECT_TRUE(output.out.bytes.ends_with("7last"));
  }
}

TEST_P(TerminalContract, WhatATerminalStandsInForIsRefused) {
  auto request = on_terminal(shell("true"));
  request.input = StdinBytes{"x"};
  EXPECT_EQ(must_fail(runtime().execute(request)).kind, ErrorKind::invalid_request);
  request.input = NoStdin{};
  request.out = OutputFd{1};
  EXPECT_EQ(must_fail(runtime().execute(request)).kind, ErrorKind::invalid_request);
}

TEST_P(TerminalContract, ATimeoutEndsWhatIgnoresTheHangup) {
  auto request = on_terminal(shell("trap '' HUP TERM INT; echo before; while :; do sleep 1; done"));
  request.timeout = std::chrono::milliseconds(500);
  auto execution = start(request);
  const auto output = must_end(execution.wait());
  EXPECT_TRUE(is_timed_out(output));
  EXPECT_EQ(output.out.bytes, "before\r\n");
}

}  // namespace
}  // namespace prx::test
