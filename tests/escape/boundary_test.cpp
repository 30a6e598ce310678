// What crosses into a command and what is left of it: variables, descriptors, private files, processes. Each
// line is also run where nothing forbids it, and has to succeed there.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "support/artefacts.hpp"
#include "support/eventually.hpp"
#include "support/leak_check.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/proc_table.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A caller in a workspace with a home beside it.
class Caller {
 public:
  using Run = std::function<ProgramResult(const std::vector<std::string>&, const ProgramOptions&)>;

  Caller(std::string prx, std::string folder, uid_t owner, Run run)
      : prx_(std::move(prx)), folder_(std::move(folder)), run_(std::move(run)) {
    for (const auto* name : {"", "/ws", "/home", "/tmp"}) {
      fs::create_directories(folder_ + name);
      EXPECT_EQ(::chown((folder_ + name).c_str(), owner, owner), 0);
    }
    std::ofstream(folder_ + "/secret") << "hunter2";
  }

  [[nodiscard]] const std::string& folder() const { return folder_; }

  /// A shell line of the caller's; $PRX is prx with the sandbox under test.
  [[nodiscard]] ProgramResult shell(const std::string& line, const std::string& mark = "none") const {
    ProgramOptions options;
    options.env = {"PATH=/usr/local/bin:/usr/bin:/bin",
                   "HOME=" + folder_ + "/home",
                   "PRX_CONFIG=/dev/null",
                   "SECRET=hunter2",
                   "PRX_TEST_MARK=" + mark,
                   "PRX=" + prx_ + " run --timeout 30s --set security.sandbox.backend=namespaces"};
    options.working_dir = folder_ + "/ws";
    return run_({"/bin/sh", "-c", line}, options);
  }

 private:
  std::string prx_;
  std::string folder_;
  Run run_;
};

void as_root_and_as_user(const std::function<void(const Caller&)>& attempt) {
  if (!OrdinaryUser::possible()) return not_proven("escape.boundary", "not root");
  {
    SCOPED_TRACE("root");
    const TempDir dir;
    attempt(Caller(prx_path(), dir / "host", 0, run_program));
  }
  SCOPED_TRACE("an ordinary user");
  const OrdinaryUser user;
  attempt(Caller(user.install(prx_path()), user.folder() + "/host", user.id(),
                 [&](const auto& argv, const auto& options) { return user.run(argv, options); }));
}

bool is_gone(const std::string& mark) {
  return eventually(20s, [&] { return processes_with(mark).empty(); });
}

void end_all(const std::string& mark) {
  for (const auto& process : processes_with(mark)) ::kill(process.pid, SIGKILL);
}

// Guarantees: ENV-1
TEST(Boundary, AVariableOfTheHostsIsNowhere) {
  as_root_and_as_user([](const Caller& caller) {
    const std::string look = "cat /proc/[0-9]*/environ 2>/dev/null | grep -qa hunter2";
    const auto control = caller.shell("$PRX -e SECRET -c '" + look + "'");
    ASSERT_EQ(control.exit_code, 0) << "the line proves nothing: " << control.err;
    const auto inside = caller.shell("$PRX -c '" + look + "'");
    EXPECT_EQ(inside.exit_code, 1) << inside.err;
  });
}

// Guarantees: PROC-2
TEST(Boundary, ADescriptorOfTheHostsIsClosed) {
  as_root_and_as_user([](const Caller& caller) {
    const std::string open = "exec 9<../secret; ";
    const auto control = caller.shell(open + "sh -c 'cat <&9'");
    ASSERT_EQ(control.out, "hunter2") << "the line proves nothing: " << control.err;
    const auto inside = caller.shell(open + "$PRX -c 'cat <&9'");
    EXPECT_NE(inside.exit_code, 0);
    EXPECT_LT(inside.exit_code, 124) << "it was to run, and fail: " << inside.err;
    EXPECT_EQ(inside.out, "");
  });
}

// Guarantees: FS-3
TEST(Boundary, WhatIsWrittenToPrivatePlacesIsGone) {
  as_root_and_as_user([](const Caller& caller) {
    const auto name = make_marker();
    const std::vector<std::string> places{caller.folder() + "/home/" + name, "/tmp/" + name,
                                          "/var/tmp/" + name, "/dev/shm/" + name};
    std::string write;
    for (const auto& place : places) write += (write.empty() ? "" : " && ") + ("echo x >" + place);
    const auto inside = caller.shell("$PRX -c '" + write + "'");
    EXPECT_EQ(inside.exit_code, 0) << inside.err;
    for (const auto& place : places) EXPECT_FALSE(fs::exists(place)) << place;
    const auto control = caller.shell(write);
    EXPECT_EQ(control.exit_code, 0) << control.err;
    for (const auto& place : places) EXPECT_TRUE(fs::remove(place)) << "the line proves nothing: " << place;
  });
}

// Guarantees: PROC-3
TEST(Boundary, WhatACommandLeavesRunningIsEnded) {
  as_root_and_as_user([](const Caller& caller) {
    const std::string leave = "setsid sh -c \"setsid sleep 300\" >/dev/null 2>&1 </dev/null & sleep 0.1";
    const auto outside = make_marker();
    const auto control = caller.shell(leave, outside);
    EXPECT_EQ(control.exit_code, 0) << control.err;
    EXPECT_FALSE(processes_with(outside).empty()) << "the line proves nothing";
    end_all(outside);
    const auto mark = make_marker();
    const auto inside = caller.shell("$PRX -e PRX_TEST_MARK -c '" + leave + "'", mark);
    EXPECT_EQ(inside.exit_code, 0) << inside.err;
    EXPECT_TRUE(is_gone(mark));
  });
}

// Guarantees: PROC-4
TEST(Boundary, NothingOutlivesAPrxThatIsKilled) {
  as_root_and_as_user([](const Caller& caller) {
    const std::string wait_and_kill = " & p=$!; until test -e started; do sleep 0.05; done; kill -9 $p";
    const std::string stay = "-c 'setsid sleep 300 & : > started; exec sleep 300' >/dev/null 2>&1";
    const auto outside = make_marker();
    const auto control = caller.shell("sh " + stay + wait_and_kill + "; rm started", outside);
    EXPECT_EQ(control.exit_code, 0) << control.err;
    EXPECT_FALSE(processes_with(outside).empty()) << "the line proves nothing";
    end_all(outside);
    const auto mark = make_marker();
    const auto killed = caller.shell("$PRX -e PRX_TEST_MARK " + stay + wait_and_kill, mark);
    EXPECT_EQ(killed.exit_code, 0) << killed.err;
    EXPECT_TRUE(is_gone(mark));
    end_all(mark);
  });
}

}  // namespace
}  // namespace prx::test
