// Where groups may be made: folders of plain files stand for the trees that this machine does not have.
#include "os/cgroup.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/fd.hpp"
#include "os/cgroup_leaf.hpp"
#include "support/temp_dir.hpp"

namespace prx::os {
namespace {

namespace fs = std::filesystem;

constexpr CgroupOwner kUser{.is_root = false, .systemd = true};
constexpr CgroupOwner kRootOfSystemd{.is_root = true, .systemd = true};
constexpr CgroupOwner kRootOfContainer{.is_root = true, .systemd = false};

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A machine with the trees that a test makes.
class FakeTrees {
 public:
  /// A v2 group below the mount, with the files that are looked at.
  std::string group(const std::string& path, const std::string& controllers, const std::string& passed_on) {
    const auto directory = dir_.path() + "/v2" + path;
    fs::create_directories(directory);
    write(directory + "/cgroup.procs", "");
    write(directory + "/cgroup.controllers", controllers + "\n");
    write(directory + "/cgroup.subtree_control", passed_on + "\n");
    return directory;
  }
  std::string v1(const std::string& controller, const std::string& path) {
    const auto directory = dir_.path() + "/" + controller + path;
    fs::create_directories(directory);
    write(directory + "/tasks", "");
    mounts_ += "40 31 0:35 / " + dir_.path() + "/" + controller + " rw shared:9 - cgroup cgroup rw," +
               controller + "\n";
    groups_ += "4:" + controller + ":" + path + "\n";
    return directory;
  }
  [[nodiscard]] CgroupTexts texts(const std::string& own) const {
    return {"23 1 8:1 / / rw - ext4 /dev/sda rw\n" + mounts_ + "41 31 0:38 / " + dir_.path() +
                "/v2 rw,relatime - cgroup2 cgroup2 rw\n",
            groups_ + "0::" + own + "\n"};
  }

 private:
  test::TempDir dir_;
  std::string mounts_;
  std::string groups_;
};

TEST(Cgroup, DirectoriesComeFromTheTextsOfTheKernel) {
  const CgroupTexts texts{
      "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
      "35 31 0:32 /docker/id /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
      "4:memory:/docker/id/app\n2:cpu,cpuacct:/a\n0::/b\n"};
  EXPECT_EQ(cgroup_directory(texts, "memory"), "/sys/fs/cgroup/memory/app");
  EXPECT_EQ(cgroup_directory(texts, "cpuacct"), "/sys/fs/cgroup/cpu,cpuacct/a");
  EXPECT_EQ(cgroup_directory(texts, ""), "/sys/fs/cgroup/unified/b");
  EXPECT_EQ(cgroup_directory(texts, "pids"), "");
  EXPECT_EQ(cgroup_directory({texts.mountinfo, "4:memory:/elsewhere\n"}, "memory"), "");
  EXPECT_EQ(cgroup_directory({}, ""), "");
}

TEST(Cgroup, V1HierarchiesLimitAndV2Ends) {
  FakeTrees trees;
  const auto own = trees.group("/own", "hugetlb", "");
  const auto memory = trees.v1("memory", "/m");
  const auto pids = trees.v1("pids", "/");
  const auto places = find_cgroup_places(trees.texts("/own"), kUser);
  EXPECT_EQ(places.unified, own);
  EXPECT_FALSE(places.unified_memory || places.unified_pids);
  EXPECT_EQ(places.memory, memory);
  EXPECT_EQ(places.pids + "/", pids);
}

TEST(Cgroup, WhereV2PassesOnItsControllersGroupsAreMadeThere) {
  FakeTrees trees;
  const auto own = trees.group("/own", "cpu memory pids", "memory pids");
  const auto places = find_cgroup_places(trees.texts("/own"), kUser);
  EXPECT_EQ(places.unified, own);
  EXPECT_TRUE(places.unified_memory && places.unified_pids);
}

TEST(Cgroup, AProcessInALeafUsesWhatIsDelegatedAboveIt) {
  FakeTrees trees;
  const auto service = trees.group("/service", "memory pids", "memory pids");
  trees.group("/service/leaf", "memory pids", "");
  const auto places = find_cgroup_places(trees.texts("/service/leaf"), kUser);
  EXPECT_EQ(places.unified, service);
  EXPECT_TRUE(places.unified_memory && places.unified_pids);
}

TEST(Cgroup, RootTakesNothingThatSystemdHasNotGivenAway) {
  FakeTrees trees;
  const auto slice = trees.group("/system.slice", "memory pids", "memory pids");
  const auto own = trees.group("/system.slice/x.service", "memory pids", "");
  const auto texts = trees.texts("/system.slice/x.service");
  EXPECT_EQ(find_cgroup_places(texts, kRootOfSystemd).unified, own);
  EXPECT_FALSE(find_cgroup_places(texts, kRootOfSystemd).unified_memory);
  EXPECT_EQ(find_cgroup_places(texts, kRootOfContainer).unified, slice);
}

TEST(Cgroup, ControllersAreSwitchedOnWhereTheyAreNot) {
  FakeTrees trees;
  // A plain file keeps what was written to it: like a group with processes, this one does not pass them on.
  const auto own = trees.group("/own", "memory", "");
  const auto places = find_cgroup_places(trees.texts("/own"), kUser);
  EXPECT_EQ(read(own + "/cgroup.subtree_control").substr(0, 7), "+memory");
  EXPECT_EQ(places.unified, own);
  EXPECT_FALSE(places.unified_memory);
}

TEST(Cgroup, NothingWhereNothingMayBeWritten) {
  if (::geteuid() == 0) {
    // Root writes everywhere but where the file system is read-only, or is no directory of the kernel's.
    EXPECT_EQ(find_cgroup_places({"41 1 0:38 / /proc rw - cgroup2 cgroup2 rw\n", "0::/\n"}, kUser).unified,
              "");
    return;
  }
  FakeTrees trees;
  const auto own = trees.group("/own", "memory pids", "memory pids");
  fs::permissions(own, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(find_cgroup_places(trees.texts("/own"), kUser).unified, "");
}

TEST(CgroupLeaf, IsMadeSetAndRemoved) {
  const test::TempDir dir;
  const base::Fd parent(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto leaf = CgroupLeaf::create(parent.get(), {77, 3});
  ASSERT_TRUE(leaf.is_open());
  EXPECT_EQ(CgroupLeaf::create(parent.get(), {77, 3}).error(), -EEXIST);
  EXPECT_EQ(leaf.set("memory.max", "1"), -ENOENT);
  write(dir / "prx-77-3/memory.max", "max");
  EXPECT_EQ(leaf.set("memory.max", "1048576"), 0);
  EXPECT_EQ(read(dir / "prx-77-3/memory.max"), "1048576");
  EXPECT_EQ(leaf.open_file("memory.peak"), -ENOENT);
  fs::remove(dir / "prx-77-3/memory.max");  // the kernel's files go with their group
  leaf.remove();
  EXPECT_FALSE(fs::exists(dir / "prx-77-3"));
}

TEST(CgroupLeaf, WhereTheParentTakesNoProcessAGroupBesideDoes) {
  const test::TempDir dir;
  const base::Fd parent(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto leaf = CgroupLeaf::create(parent.get(), {77, 3});
  EXPECT_FALSE(leaf.leave(CgroupLeaf::kEntrance)) << "neither has an entrance";
  write(dir / "prx-77-0/cgroup.procs", "");
  EXPECT_TRUE(leaf.leave(CgroupLeaf::kEntrance));
  EXPECT_EQ(read(dir / "prx-77-0/cgroup.procs"), "0");
  leaf.close();
}

TEST(CgroupLeaf, OnlyWhatNobodyHoldsIsForgotten) {
  const test::TempDir dir;
  const base::Fd parent(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto held = CgroupLeaf::create(parent.get(), {77, 1});
  CgroupLeaf::create(parent.get(), {77, 2}).close();
  for (const auto* name : {"/prx-78-1/inner", "/other-1", "/prx-x"}) {
    fs::create_directories(dir.path() + name);
  }
  remove_forgotten_groups(parent.get());
  EXPECT_TRUE(fs::exists(dir / "prx-77-1"));
  EXPECT_FALSE(fs::exists(dir / "prx-77-2"));
  EXPECT_FALSE(fs::exists(dir / "prx-78-1"));
  EXPECT_TRUE(fs::exists(dir / "other-1"));
  EXPECT_TRUE(fs::exists(dir / "prx-x"));
  held.close();
  remove_forgotten_groups(parent.get());
  EXPECT_FALSE(fs::exists(dir / "prx-77-1"));
}

TEST(CgroupLeaf, AProcessThatWasKilledHoldsNothing) {
  const test::TempDir dir;
  const base::Fd parent(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::array<int, 2> made{};
  ASSERT_EQ(::pipe(made.data()), 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    (void)CgroupLeaf::create(parent.get(), {77, 1});
    (void)!::write(made[1], "x", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(made[0], &byte, 1), 1);
  remove_forgotten_groups(parent.get());
  EXPECT_TRUE(fs::exists(dir / "prx-77-1"));
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  remove_forgotten_groups(parent.get());
  EXPECT_FALSE(fs::exists(dir / "prx-77-1"));
  ::close(made[0]);
  ::close(made[1]);
}

/// Every start of a prx sweeps; none may take what another has just made.
TEST(CgroupLeaf, IsNotSweptAwayWhileItIsMade) {
  const test::TempDir dir;
  const base::Fd parent(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::atomic<bool> done = false;
  // Two, of which one may have opened what the other removes.
  const auto sweep = [&] {
    while (!done) remove_forgotten_groups(parent.get());
  };
  std::thread sweeper(sweep);
  std::thread another(sweep);
  constexpr int kGroups = 3000;
  for (int i = 1; i <= kGroups; ++i) {
    auto leaf = CgroupLeaf::create(parent.get(), {77, i});
    EXPECT_TRUE(leaf.is_open()) << leaf.error();
    EXPECT_TRUE(fs::exists(dir / ("prx-77-" + std::to_string(i))));
    leaf.remove();
  }
  done = true;
  sweeper.join();
  another.join();
}

}  // namespace
}  // namespace prx::os
