// SIGKILL at any moment, to any part: nothing is left a second later, and the rest goes on.
#include <csignal>
#include <thread>

#include "fault/fault.hpp"
#include "support/eventually.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

using std::chrono::microseconds;

constexpr int kMoments = 200;
constexpr int kWithinMicroseconds = 20'000;

class Kill : public Fault {
 protected:
  [[nodiscard]] microseconds random_moment() { return microseconds(random_below(kWithinMicroseconds)); }

  void kill_hosts(const std::vector<std::string>& options) {
    const int count = times(kMoments);
    for (int i = 0; i < count; ++i) {
      auto argv = options;
      argv.insert(argv.begin(), fault_host_path());
      argv.insert(argv.end(), {"hold", "trap '' TERM; setsid sleep 300 & (sleep 300 | cat) & sleep 300"});
      const auto moment = random_moment();
      {
        RunningProgram host(argv);
        std::this_thread::sleep_for(moment);
        ::kill(host.pid(), SIGKILL);
        (void)host.wait();
      }
      ASSERT_TRUE(nothing_left()) << "killed after " << moment.count()
                                  << " us: " << children_of_this_process().front().describe();
    }
    EXPECT_TRUE(processes_with(marker()).empty());
  }
};

TEST_F(Kill, TheHostAtAnyMoment) {
  kill_hosts({});
}

TEST_F(Kill, TheOneShotHostAtAnyMoment) {
  kill_hosts({"one_shot"});
}

/// Parts of the sandbox are set up by processes of their own.
TEST_F(Kill, AHostOfASandboxAtAnyMoment) {
  const TempDir workspace;
  const InDirectory here(workspace.path());
  kill_hosts({"sandboxed"});
}

TEST_F(Kill, AOneShotHostOfASandboxAtAnyMoment) {
  const TempDir workspace;
  const InDirectory here(workspace.path());
  kill_hosts({"one_shot", "sandboxed"});
}

TEST_F(Kill, AHostThatHasStartedItsCommand) {
  for (int i = 0; i < times(20); ++i) {
    RunningProgram host({fault_host_path(), "hold", "setsid sleep 300 & sleep 300"});
    ASSERT_TRUE(host.wait_for_output("started"));
    ASSERT_TRUE(eventually(std::chrono::seconds(5), [&] { return processes_with(marker()).size() > 2; }));
    ::kill(host.pid(), SIGKILL);
    (void)host.wait();
    ASSERT_TRUE(nothing_left());
  }
}

TEST_F(Kill, TheSpawnerAtAnyMoment) {
  const auto runtime = make_runtime();
  ASSERT_TRUE(runtime->execute(noop()));
  for (int i = 0; i < times(kMoments); ++i) {
    const pid_t victim = spawner();
    const auto moment = random_moment();
    std::thread killer([&] {
      std::this_thread::sleep_for(moment);
      if (victim != 0) ::kill(victim, SIGKILL);
    });
    const auto result = runtime->execute(shell("sleep 0.01; exit 7"));
    killer.join();
    ASSERT_TRUE(result) << "killed after " << moment.count() << " us: " << result.error().message();
    EXPECT_EQ(result->exit_code, 7);
    const auto next = runtime->execute(noop(3));
    ASSERT_TRUE(next) << "killed after " << moment.count() << " us: " << next.error().message();
    EXPECT_EQ(next->exit_code, 3);
  }
}

TEST_F(Kill, AnInitAtAnyMoment) {
  const auto runtime = make_runtime();
  ASSERT_TRUE(runtime->execute(noop()));
  int ended = 0;
  int lost = 0;
  for (int i = 0; i < times(kMoments); ++i) {
    const auto moment = random_moment();
    std::thread killer([&] {
      std::this_thread::sleep_for(moment);
      for (const pid_t init : inits()) ::kill(init, SIGKILL);
    });
    const auto result = runtime->execute(shell("setsid sleep 300 & (sleep 300 | cat) & sleep 0.015; exit 7"));
    killer.join();
    if (result) {
      ++ended;
      EXPECT_EQ(result->exit_code, 7);
    } else {
      ++lost;
      EXPECT_EQ(result.error().kind, ErrorKind::disconnected) << result.error().message();
    }
    ASSERT_TRUE(eventually(std::chrono::seconds(1), [&] { return processes_with(marker()).empty(); }))
        << "killed after " << moment.count() << " us";
  }
  EXPECT_GT(ended, 0);
  EXPECT_GT(lost, 0);
}

TEST_F(Kill, AParkedInitIsReplaced) {
  const auto runtime = make_runtime();
  ASSERT_TRUE(runtime->execute(noop()));
  const auto kill_parked = [&] {
    // The init of the last command is there a little longer than its command: only one that stays is parked.
    pid_t parked = 0;
    ASSERT_TRUE(eventually(std::chrono::seconds(5), [&] {
      const auto found = inits();
      if (found.size() == 1 && found.front() == parked) return true;
      parked = found.size() == 1 ? found.front() : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return false;
    }));
    ::kill(parked, SIGKILL);
    ASSERT_TRUE(eventually(std::chrono::seconds(5), [&] { return !is_running(parked); }));
  };
  for (int i = 0; i < 20; ++i) {
    kill_parked();
    auto request = program("cat");
    request.input = StdinBytes{"hello"};
    const auto result =
        i % 2 == 0 ? runtime->execute(std::move(request))
                   : runtime->start(std::move(request), {}).and_then([](Execution e) { return e.wait(); });
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_EQ(result->out.bytes, "hello");
    EXPECT_EQ(result->slot, SlotKind::cold);
  }
  kill_parked();
  auto request = program("cat");
  request.input = StdinStream{};
  auto execution = runtime->start(std::move(request), {}).value();
  ASSERT_TRUE(execution.write_stdin(std::string_view("streamed")));
  ASSERT_TRUE(execution.close_stdin());
  const auto result = execution.wait();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->out.bytes, "streamed");
}

TEST_F(Kill, RunningCommandsOutliveTheirSpawner) {
  const auto runtime = make_runtime();
  auto execution = runtime->start(shell("sleep 0.5; echo still here"), {}).value();
  pid_t victim = 0;
  ASSERT_TRUE(eventually(std::chrono::seconds(5), [&] { return (victim = spawner()) != 0; }));
  ::kill(victim, SIGKILL);
  EXPECT_EQ(runtime->execute(noop(5)).value().exit_code, 5);
  EXPECT_NE(spawner(), victim);
  EXPECT_EQ(execution.wait().value().out.bytes, "still here\n");
}

}  // namespace
}  // namespace prx::test
