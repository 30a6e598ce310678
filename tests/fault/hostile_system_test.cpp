// Systems that lack what every system has, and limits that nobody thinks of.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>

#include "fault/fault.hpp"
#include "support/not_proven.hpp"
#include "support/proc_table.hpp"

namespace prx::test {
namespace {

class HostileSystem : public Fault {
 protected:
  /// `body` in a child process that sees an empty directory in place of `where`; false where that is not
  /// allowed.
  [[nodiscard]] static bool without(const char* where, const std::function<void()>& body) {
    constexpr int kNotAllowed = 77;
    const int status = in_child([&] {
      if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          mount("none", where, "tmpfs", 0, nullptr) != 0) {
        _exit(kNotAllowed);
      }
      body();
    });
    if (status == kNotAllowed) return false;
    EXPECT_EQ(status, 0);
    return true;
  }
};

TEST_F(HostileSystem, WithoutProcTheProcessGroupIsEndedAndTheRestIsReported) {
  const bool allowed = without("/proc", [&] {
    const auto runtime = make_runtime(HostKind::one_shot);
    auto late = shell("sleep 300 | cat");
    late.timeout = std::chrono::milliseconds(200);
    const auto ended = runtime->execute(late);
    ASSERT_TRUE(ended) << ended.error().message();
    EXPECT_EQ(ended->exit_code, 124);
    EXPECT_EQ(ended->leftovers.alive, 0U);

    const auto left = runtime->execute(shell("setsid sleep 300 & exit 4"));
    ASSERT_TRUE(left) << left.error().message();
    EXPECT_EQ(left->exit_code, 4);
    EXPECT_GE(left->leftovers.alive, 1U);
    EXPECT_FALSE(left->warnings.empty());
  });
  if (!allowed) return not_proven("fault.no_proc", "nothing may be mounted here");
  const auto left = processes_with(marker());
  EXPECT_EQ(left.size(), 1U);  // the one that was reported
  for (const auto& process : left) ::kill(process.pid, SIGKILL);
}

TEST_F(HostileSystem, WithoutDevNullTheErrorSaysSo) {
  const bool allowed = without("/dev", [&] {
    for (const auto kind : {HostKind::library, HostKind::one_shot}) {
      const auto result = make_runtime(kind)->execute(noop());
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().step, "open");
      EXPECT_EQ(result.error().subject, "/dev/null");
      EXPECT_FALSE(result.error().hint.empty());
    }
  });
  if (!allowed) not_proven("fault.no_dev_null", "nothing may be mounted here");
}

TEST_F(HostileSystem, ALimitOfFileSizesNeverKillsTheHost) {
  for (const auto kind : {HostKind::library, HostKind::one_shot}) {
    for (const rlim_t limit : {rlim_t{0}, rlim_t{1000}, rlim_t{1U << 20U}}) {
      EXPECT_EQ(in_child([&] {
                  std::signal(SIGXFSZ, SIG_DFL);
                  const rlimit file_size{limit, limit};
                  setrlimit(RLIMIT_FSIZE, &file_size);
                  const auto result = make_runtime(kind)->execute(noop(3));
                  // Where an installed prx-init is found, it is used.
                  if (result) _exit(result->exit_code == 3 ? 0 : 2);
                  const auto& error = result.error();
                  const bool is_clear = error.os_errno == EFBIG && error.step == "memfd_create" &&
                                        error.hint.find("ulimit -f") != std::string::npos;
                  _exit(is_clear && limit < 4096 ? 0 : 3);
                }),
                0)
          << limit;
    }
  }
}

}  // namespace
}  // namespace prx::test
