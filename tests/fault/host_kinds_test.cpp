// Hosts that do to themselves what a library cannot forbid.
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <optional>
#include <thread>

#include "fault/fault.hpp"
#include "support/artefacts.hpp"
#include "support/host_processes.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"

namespace prx::test {
namespace {

class HostKinds : public Fault {};

/// Both ways to run a command, for every host below.
void expect_works(RuntimeAdapter& runtime, const ExecutionRequest& request, int code) {
  const auto executed = runtime.execute(request);
  ASSERT_TRUE(executed) << executed.error().message();
  EXPECT_EQ(executed->exit_code, code);
  auto started = runtime.start(request, {});
  ASSERT_TRUE(started) << started.error().message();
  const auto waited = started->wait();
  ASSERT_TRUE(waited) << waited.error().message();
  EXPECT_EQ(waited->exit_code, code);
}

TEST_F(HostKinds, SigchldIgnored) {
  for (const auto kind : {HostKind::library, HostKind::one_shot}) {
    EXPECT_EQ(in_child([&] {
                std::signal(SIGCHLD, SIG_IGN);
                const auto runtime = make_runtime(kind);
                expect_works(*runtime, shell("sleep 300 & exit 4"), 4);
                expect_works(*runtime,
                             program("grep", {"-q", "SigIgn:.*0000000000000000", "/proc/self/status"}), 0);
                EXPECT_EQ(std::signal(SIGCHLD, SIG_DFL), SIG_IGN);
              }),
              0);
  }
}

TEST_F(HostKinds, SignalsBlockedInTheCallingThread) {
  sigset_t all;
  sigset_t before;
  sigset_t after;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  {
    const auto runtime = make_runtime();
    expect_works(*runtime, program("grep", {"-q", "SigBlk:.*0000000000000000", "/proc/self/status"}), 0);
    auto request = shell("sleep 300 | cat");
    request.timeout = std::chrono::milliseconds(200);
    EXPECT_EQ(runtime->execute(request).value().exit_code, 124);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGTERM), 1);
    EXPECT_EQ(sigismember(&after, SIGPIPE), 1);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(HostKinds, AClosedStdinRaisesNoSigpipeInTheHost) {
  std::signal(SIGPIPE, SIG_DFL);  // it would end this process
  const auto runtime = make_runtime();
  auto request = noop(3);
  request.input = StdinBytes{std::string(std::size_t{1} << 20U, 'x')};
  for (int i = 0; i < 50; ++i) expect_works(*runtime, request, 3);
}

TEST_F(HostKinds, AClosedStdinLeavesNoSigpipeBehindWhereItIsBlocked) {
  EXPECT_EQ(in_child([&] {
              sigset_t pipe;
              sigset_t pending;
              sigemptyset(&pipe);
              sigaddset(&pipe, SIGPIPE);
              pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
              const auto runtime = make_runtime();
              auto request = shell("exec <&-; sleep 0.1; exit 3");
              request.input = StdinBytes{std::string(std::size_t{1} << 20U, 'x')};
              for (int i = 0; i < 3; ++i) expect_works(*runtime, request, 3);
              sigpending(&pending);
              EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
              // One of the host's own stays.
              raise(SIGPIPE);
              expect_works(*runtime, request, 3);
              sigpending(&pending);
              EXPECT_EQ(sigismember(&pending, SIGPIPE), 1);
            }),
            0);
}

TEST_F(HostKinds, AThreadThatEnds) {
  const auto runtime = make_runtime();
  std::optional<Execution> execution;
  std::thread([&] { execution = runtime->start(shell("sleep 0.3; exit 6"), {}).value(); }).join();
  EXPECT_EQ(execution->wait().value().exit_code, 6);
  // The spawner was made by the thread that has ended.
  expect_works(*runtime, noop(2), 2);
}

TEST_F(HostKinds, AHostThatForks) {
  const auto runtime = make_runtime();
  auto execution = runtime->start(shell("sleep 0.5; echo parent"), {}).value();
  for (int i = 0; i < 3; ++i) {
    const int status = in_child([&] {
      expect_works(*runtime, noop(9), 9);
      EXPECT_EQ(runtime->execute(shell("echo child")).value().out.bytes, "child\n");
    });
    EXPECT_EQ(status, 0);
    expect_works(*runtime, noop(8), 8);
  }
  const auto result = execution.wait();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->out.bytes, "parent\n");
}

TEST_F(HostKinds, AForkedChildMayDestroyTheRuntime) {
  auto runtime = make_runtime();
  auto execution = runtime->start(shell("sleep 0.5; echo parent"), {}).value();
  EXPECT_EQ(in_child([&] { runtime.reset(); }), 0);
  EXPECT_EQ(in_child([&] {
              expect_works(*runtime, noop(4), 4);
              runtime.reset();
            }),
            0);
  EXPECT_EQ(execution.wait().value().out.bytes, "parent\n");
}

TEST_F(HostKinds, AForkedChildThatDiesTakesOnlyItsOwn) {
  const auto runtime = make_runtime();
  auto execution = runtime->start(shell("sleep 0.7; echo parent"), {}).value();
  const int status = in_child([&] {
    (void)runtime->start(shell("sleep 300"), {}).value().id();
    const auto second = runtime->start(shell("sleep 300"), {});
    raise(SIGKILL);
  });
  EXPECT_EQ(status, 128 + SIGKILL);
  EXPECT_EQ(execution.wait().value().out.bytes, "parent\n");
}

TEST_F(HostKinds, AHostThatDropsItsPrivileges) {
  if (!OrdinaryUser::possible())
    return not_proven("fault.drop_privileges", "only root can become another user");
  const OrdinaryUser user;
  const auto id = std::to_string(user.id());
  for (const auto kind : {HostKind::library, HostKind::one_shot}) {
    EXPECT_EQ(in_child([&] {
                const auto runtime = make_runtime(kind);
                auto look = shell("id -u; id -g; id -G; grep CapEff /proc/self/status");
                look.working_dir = "/";
                EXPECT_EQ(runtime->execute(look).value().out.bytes.substr(0, 4), "0\n0\n");
                ASSERT_EQ(setgroups(0, nullptr), 0);
                ASSERT_EQ(setresgid(user.id(), user.id(), user.id()), 0);
                ASSERT_EQ(setresuid(user.id(), user.id(), user.id()), 0);
                std::string expected;
                for (int i = 0; i < 3; ++i) expected.append(id).append("\n");
                expected += "CapEff:\t0000000000000000\n";
                for (int i = 0; i < 3; ++i) {
                  const auto result = runtime->execute(look);
                  ASSERT_TRUE(result) << result.error().message();
                  EXPECT_EQ(result->out.bytes, expected);
                }
              }),
              0);
  }
}

TEST_F(HostKinds, TenThousandRunsFromEightThreads) {
  constexpr int kThreads = 8;
  const int each = times(10'000) / kThreads;
  std::atomic<int> right = 0;
  {
    const auto runtime = make_runtime();
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (int run = 0; run < each; ++run) {
          const auto result = runtime->execute(noop(i));
          if (result && result->exit_code == i) ++right;
        }
      });
    }
    for (auto& thread : threads) thread.join();
  }
  EXPECT_EQ(right, each * kThreads);
}

TEST_F(HostKinds, ClosedStandardStreamsOfTheHost) {
  EXPECT_EQ(in_child([&] {
              for (int fd = 0; fd < 3; ++fd) close(fd);
              const auto runtime = make_runtime();
              for (int i = 0; i < 3; ++i) {
                auto request = shell("cat; echo out; echo err >&2; exit 5");
                request.input = StdinBytes{"in\n"};
                const auto result = runtime->execute(request);
                if (!result || result->out.bytes != "in\nout\n" || result->err.bytes != "err\n" ||
                    result->exit_code != 5)
                  _exit(9);
              }
            }),
            0);
}

}  // namespace
}  // namespace prx::test
