// A command stops its own prx-init: it is woken, and who wakes it may be killed meanwhile.
#include <atomic>
#include <csignal>
#include <string_view>

#include "fault/fault.hpp"
#include "support/eventually.hpp"
#include "support/program.hpp"

namespace prx::test {
namespace {

constexpr std::chrono::seconds kPatience{5};

class Stopped : public Fault {
 protected:
  [[nodiscard]] static bool is_stopped(pid_t pid) {
    for (const auto& process : all_processes()) {
      if (process.pid == pid) return process.state == 'T';
    }
    return false;
  }
  static void stop(pid_t pid) {
    ASSERT_EQ(::kill(pid, SIGSTOP), 0);
    ASSERT_TRUE(eventually(kPatience, [&] { return is_stopped(pid); }));
  }
};

TEST_F(Stopped, AnInitIsWokenByItsHostOrSpawner) {
  for (const auto kind : {HostKind::library, HostKind::one_shot}) {
    const auto runtime = make_runtime(kind);
    for (const std::string line :
         {"kill -STOP $PPID; exit 3", "for i in 1 2 3 4 5; do kill -STOP $PPID; done; sleep 300 & exit 3"}) {
      const auto result = runtime->execute(shell(line));
      ASSERT_TRUE(result) << result.error().message();
      EXPECT_EQ(result->exit_code, 3);
      EXPECT_FALSE(result->unresponsive);
    }
  }
}

TEST_F(Stopped, AnInitOfAHostThatIsKilledEndsItsTree) {
  RunningProgram host(
      {fault_host_path(), "one_shot", "hold", "trap '' TERM HUP; setsid sleep 300 & sleep 300 | cat"});
  ASSERT_TRUE(host.wait_for_output("started"));
  pid_t init = 0;
  ASSERT_TRUE(eventually(kPatience, [&] {
    for (const auto& process : all_processes()) {
      if (process.parent == host.pid() && process.name == "prx-init") init = process.pid;
    }
    return init != 0 && processes_with(marker()).size() > 3;
  }));
  // Stopped first, so that it cannot wake what is stopped next.
  stop(host.pid());
  stop(init);
  host.send_signal(SIGKILL);
  (void)host.wait();
  EXPECT_TRUE(nothing_left());
}

TEST_F(Stopped, AnInitWhoseSpawnerIsKilledGoesOn) {
  const auto runtime = make_runtime();
  auto request = shell("echo up; read line; exit 5");
  request.input = StdinStream{};
  std::atomic<bool> up = false;
  ExecutionEvents events;
  events.output = [&](const OutputChunk&) { up = true; };
  auto execution = runtime->start(std::move(request), std::move(events)).value();
  ASSERT_TRUE(eventually(kPatience, [&] { return up.load(); }));
  const pid_t victim = spawner();
  const auto victims = inits();
  ASSERT_NE(victim, 0);
  stop(victim);
  for (const pid_t init : victims) stop(init);
  ::kill(victim, SIGKILL);
  ASSERT_TRUE(execution.write_stdin(std::string_view("\n")));
  const auto result = execution.wait();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->exit_code, 5);
  EXPECT_FALSE(result->unresponsive);
}

}  // namespace
}  // namespace prx::test
