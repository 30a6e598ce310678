#include "support/leak_check.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/not_proven.hpp"
#include "support/proc_table.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr std::chrono::milliseconds kSoon{2000};

/// What a snapshot finds between now and after `leak()`.
std::vector<std::string> leaks_of(const std::string& marker, const std::function<void()>& leak) {
  const auto before = take_snapshot(marker);
  leak();
  return leaks_between(before, take_snapshot(marker));
}

TEST(LeakCheck, FindsNothingWhereNothingIs) {
  EXPECT_TRUE(leaks_of(make_marker(), [] { (void)run_program({probe_path("noop")}); }).empty());
}

TEST(LeakCheck, FindsADescriptor) {
  int fd = -1;
  const auto leaks = leaks_of(make_marker(), [&] { fd = open("/dev/null", O_RDONLY | O_CLOEXEC); });
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_EQ(leaks[0], "descriptor " + std::to_string(fd) + " → /dev/null");
  close(fd);
}

TEST(LeakCheck, FindsADescriptorThatWasReplaced) {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int other = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(leaks_of(make_marker(), [&] { dup2(other, fd); }).size(), 1U);
  close(fd);
  close(other);
}

TEST(LeakCheck, FindsAZombie) {
  pid_t child = -1;
  const auto leaks = leaks_of(make_marker(), [&] {
    child = fork();
    if (child == 0) _exit(0);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  });
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_NE(leaks[0].find("(Z)"), std::string::npos) << leaks[0];
  waitpid(child, nullptr, 0);
}

TEST(LeakCheck, FindsAProcessThatLeftTheTree) {
  const auto marker = make_marker();
  ASSERT_EQ(setenv("PRX_TEST_MARK", marker.c_str(), 1), 0);
  pid_t daemon = 0;
  const auto leaks = leaks_of(marker, [&] { daemon = std::stoi(run_program({probe_path("daemon")}).out); });
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_NE(leaks[0].find("process " + std::to_string(daemon)), std::string::npos) << leaks[0];
  kill(daemon, SIGKILL);
  EXPECT_TRUE(eventually(kSoon, [&] { return processes_with(marker).empty(); }));
}

TEST(LeakCheck, FindsAMarkerInACommandLine) {
  const auto marker = make_marker();
  RunningProgram program({probe_path("ignore_term"), marker});
  ASSERT_TRUE(program.wait_for_output("ready"));
  EXPECT_EQ(processes_with(marker).size(), 1U);
  EXPECT_TRUE(processes_with(make_marker()).empty());
}

TEST(LeakCheck, FindsProcessesThatKeepReplacingThemselves) {
  const auto marker = make_marker();
  RunningProgram program({probe_path("chain"), "2", marker});
  ASSERT_TRUE(program.wait_for_output("ready"));
  int found = 0;
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks; ++i) {
    if (processes_with(marker).size() > 1) ++found;  // the first process and a member of a chain
  }
  EXPECT_GT(found, kLooks / 2);
  program.send_signal(SIGKILL);
  EXPECT_TRUE(eventually(kSoon, [&] { return processes_with(marker).empty(); }));
}

TEST(LeakCheck, FindsAMount) {
  // In a mount namespace of this test, so that tests beside it do not take the mount for theirs.
  if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return not_proven("support.leak_check.mount", "this process may not mount");
  }
  const TempDir dir;
  const auto leaks =
      leaks_of(make_marker(), [&] { mount("prx-leak", dir.path().c_str(), "tmpfs", 0, nullptr); });
  EXPECT_EQ(umount(dir.path().c_str()), 0);
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_NE(leaks[0].find(dir.path()), std::string::npos);
}

/// A folder of some mounted cgroup tree that this process may make groups in; empty where there is none.
std::string writable_cgroup() {
  const std::string name = "/prx-try-" + std::to_string(getpid());
  for (const auto* tree : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids"}) {
    const auto folder = tree + name;
    if (std::filesystem::exists(std::string(tree) + "/cgroup.procs") && mkdir(folder.c_str(), 0755) == 0) {
      rmdir(folder.c_str());
      return tree;
    }
  }
  return {};
}

TEST(LeakCheck, FindsAControlGroupUnlessItIsOfALivingStranger) {
  const auto tree = writable_cgroup();
  if (tree.empty()) return not_proven("support.leak_check.cgroup", "no writable control group");
  // Out of the way of every prx that sweeps the tree for forgotten groups.
  const auto apart = tree + "/leak-check-" + std::to_string(getpid());
  ASSERT_EQ(mkdir(apart.c_str(), 0755), 0);
  const auto ours = apart + "/prx-" + std::to_string(getpid()) + "-leaf";
  const auto strangers = apart + "/prx-1-leaf";
  const auto leaks = leaks_of(make_marker(), [&] {
    ASSERT_EQ(mkdir(ours.c_str(), 0755), 0);
    ASSERT_EQ(mkdir(strangers.c_str(), 0755), 0);
  });
  rmdir(ours.c_str());
  rmdir(strangers.c_str());
  rmdir(apart.c_str());
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_EQ(leaks[0], "control group " + ours);
}

}  // namespace
}  // namespace prx::test
