// The same as an id without a passwd entry, from a folder that only it can use.
#include <csignal>

#include "fault/fault.hpp"
#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"

namespace prx::test {
namespace {

class AsOrdinaryUser : public Fault {};

TEST_F(AsOrdinaryUser, CommandsRunAndEnd) {
  if (!OrdinaryUser::possible())
    return not_proven("fault.ordinary_user", "only root can become another user");
  const OrdinaryUser user;
  const auto host = user.install(fault_host_path());
  const auto daemon = user.install(probe_path("daemon"));
  const auto id = std::to_string(user.id());
  for (const std::string option : {"start", "one_shot"}) {
    EXPECT_EQ(user.run({host, option, "run", "id", "-u"}).out, "exited 0\n" + id + "\n");
    EXPECT_EQ(user.run({host, option, "run", "cat", "/proc/self/loginuid-of-nobody"}).out, "exited 1\n");
    EXPECT_EQ(user.run({host, option, "run", daemon}).out.find("exited 0\n"), 0U);
    EXPECT_EQ(user.run({host, option, "run", "sh", "-c", "trap '' TERM; while :; do sleep 1; done"}).out,
              "timed_out 124\n");
    EXPECT_EQ(user.run({host, option, "run", "/etc/shadow"}).out.find("error not_executable exec 13\n"), 0U);
    EXPECT_EQ(user.run({host, option, "run", "sh", "-c", "kill -9 $PPID; sleep 300"})
                  .out.find("error disconnected slot"),
              0U);
  }
}

TEST_F(AsOrdinaryUser, AKilledHostLeavesNothing) {
  if (!OrdinaryUser::possible())
    return not_proven("fault.ordinary_user_killed", "only root can become another user");
  const OrdinaryUser user;
  const auto host = user.install(fault_host_path());
  for (int i = 0; i < times(20); ++i) {
    RunningProgram running(user.command({host, "hold", "setsid sleep 300 & sleep 300"}),
                           {.working_dir = user.folder()});
    ASSERT_TRUE(running.wait_for_output("started"));
    running.send_signal(SIGKILL);
    (void)running.wait();
    ASSERT_TRUE(nothing_left());
  }
}

}  // namespace
}  // namespace prx::test
