// Out of descriptors, processes, memory: an Error that says so, and everything works again afterwards.
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "fault/failing_allocation.hpp"
#include "fault/fault.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"

namespace prx::test {
namespace {

/// A soft limit of this process, put back at the end.
class Limit {
 public:
  Limit(__rlimit_resource resource, rlim_t soft) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit changed{soft, before_.rlim_max};
    setrlimit(resource_, &changed);
  }
  ~Limit() { setrlimit(resource_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  __rlimit_resource resource_;
  rlimit before_{};
};

struct Tally {
  int right = 0;
  int refused = 0;

  void count(const Result<ExecutionOutput>& result, int code) {
    if (result) {
      ++right;
      EXPECT_EQ(result->exit_code, code);
      return;
    }
    ++refused;
    const auto& error = result.error();
    EXPECT_EQ(error.kind, ErrorKind::exhausted) << to_string(error.kind) << ' ' << error.message();
    EXPECT_FALSE(error.step.empty());
    EXPECT_NE(error.os_errno, 0) << error.message();
    EXPECT_FALSE(error.hint.empty()) << error.message();
  }
};

rlim_t lowest_free_descriptor() {
  const int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  close(fd);
  return static_cast<rlim_t>(fd);
}

Result<ExecutionOutput> run(RuntimeAdapter& runtime, ExecutionRequest request, bool start) {
  if (!start) return runtime.execute(std::move(request));
  return runtime.start(std::move(request), {}).and_then([](Execution execution) { return execution.wait(); });
}

class Exhaustion : public Fault {
 protected:
  /// The undefined-behaviour sanitizer looks through a pipe whether a pointer is one.
  [[nodiscard]] static bool needs_descriptors_itself() {
    return std::string_view(PRX_SANITIZE).find("undefined") != std::string_view::npos;
  }

  /// With each number of free descriptors, from none to plenty.
  void with_few_descriptors(HostKind host, bool used_before, bool start) {
    if (needs_descriptors_itself()) {
      return not_proven("fault.few_descriptors", "the sanitizer needs a descriptor to check a pointer");
    }
    constexpr rlim_t kPlenty = 30;
    Tally tally;
    for (rlim_t room = 0; room <= kPlenty && !HasFatalFailure(); ++room) {
      const auto runtime = make_runtime(host);
      if (used_before) works(*runtime, start);
      SCOPED_TRACE("with room for " + std::to_string(room));
      {
        const Limit files(RLIMIT_NOFILE, lowest_free_descriptor() + room);
        tally.count(run(*runtime, noop_with_input(), start), kCode);
      }
      works(*runtime, start);
    }
    EXPECT_GT(tally.right, 0);
    EXPECT_GT(tally.refused, 0);
  }

  /// With each allocation failing in turn, until there are no more.
  void with_failing_allocations(bool used_before, bool start, const ExecutionRequest& request) {
    constexpr long kMany = 10'000;
    Tally tally;
    bool failed = true;
    for (long nth = 1; failed && nth < kMany && !HasFatalFailure(); ++nth) {
      SCOPED_TRACE("allocation " + std::to_string(nth));
      const auto runtime = make_runtime();
      if (used_before) works(*runtime, start);
      auto copy = request;
      {
        const FailingAllocation failing(nth);
        tally.count(run(*runtime, std::move(copy), start), kCode);
        failed = FailingAllocation::has_failed();
      }
      works(*runtime, start);
    }
    EXPECT_FALSE(failed) << "there was always one more";
    EXPECT_GT(tally.right, 0);
    EXPECT_GT(tally.refused, 0);
  }

  [[nodiscard]] ExecutionRequest long_output() const {
    return shell("head -c 300000 /dev/zero; exit " + std::to_string(kCode));
  }
  [[nodiscard]] ExecutionRequest noop_with_input() const {
    auto request = noop(kCode);
    request.input = StdinBytes{"x"};
    return request;
  }

  void works(RuntimeAdapter& runtime, bool start) const {
    const auto output = run(runtime, noop_with_input(), start);
    ASSERT_TRUE(output) << output.error().message();
    EXPECT_EQ(output->exit_code, kCode);
  }

  static constexpr int kCode = 2;
};

TEST_F(Exhaustion, FewDescriptorsAtTheFirstExecute) {
  with_few_descriptors(HostKind::library, false, false);
}
TEST_F(Exhaustion, FewDescriptorsAtTheFirstStart) {
  with_few_descriptors(HostKind::library, false, true);
}
TEST_F(Exhaustion, FewDescriptorsAtALaterExecute) {
  with_few_descriptors(HostKind::library, true, false);
}
TEST_F(Exhaustion, FewDescriptorsAtALaterStart) {
  with_few_descriptors(HostKind::library, true, true);
}
TEST_F(Exhaustion, EachAllocationOfTheFirstExecute) {
  with_failing_allocations(false, false, noop_with_input());
}
TEST_F(Exhaustion, EachAllocationOfTheFirstStart) {
  with_failing_allocations(false, true, noop_with_input());
}
TEST_F(Exhaustion, EachAllocationOfALaterExecute) {
  with_failing_allocations(true, false, long_output());
}
TEST_F(Exhaustion, EachAllocationOfALaterStart) {
  with_failing_allocations(true, true, long_output());
}
TEST_F(Exhaustion, FewDescriptorsOfAOneShotHost) {
  with_few_descriptors(HostKind::one_shot, false, false);
}

TEST_F(Exhaustion, FewDescriptorsForATerminal) {
  if (needs_descriptors_itself()) {
    return not_proven("fault.few_descriptors_terminal",
                      "the sanitizer needs a descriptor to check a pointer");
  }
  Tally tally;
  const auto runtime = make_runtime();
  for (rlim_t room = 0; room <= 30; ++room) {
    auto request = noop(2);
    request.terminal = Terminal{};
    {
      const Limit files(RLIMIT_NOFILE, lowest_free_descriptor() + room);
      tally.count(run(*runtime, request, room % 2 == 0), 2);
    }
    EXPECT_EQ(runtime->execute(request).value().exit_code, 2);
  }
  EXPECT_GT(tally.right, 0);
  EXPECT_GT(tally.refused, 0);
}

TEST_F(Exhaustion, FewProcessesOfAnOrdinaryUser) {
  if (!OrdinaryUser::possible())
    return not_proven("fault.few_processes", "only root can become another user");
  const OrdinaryUser user;
  const auto command = user.install(probe_path("noop"));
  for (const auto kind : {HostKind::library, HostKind::one_shot}) {
    for (const bool used_before : {false, true}) {
      const int status = in_child([&] {
        ASSERT_EQ(setresgid(user.id(), user.id(), user.id()), 0);
        ASSERT_EQ(setresuid(user.id(), user.id(), user.id()), 0);
        Tally tally;
        auto request = program(command, {"2"});
        request.working_dir = "/";
        // The last is plenty, also while what an earlier runtime had is still ending.
        for (const rlim_t processes : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 200U}) {
          const auto runtime = make_runtime(kind);
          if (used_before) {
            ASSERT_TRUE(runtime->execute(request));
          }
          {
            const Limit limit(RLIMIT_NPROC, processes);
            tally.count(runtime->execute(request), 2);
          }
          if (kind == HostKind::one_shot) continue;
          // prx-init has the limit it was started with; a host that raises its own makes a new runtime.
          const auto fresh = make_runtime(kind);
          const auto after = fresh->execute(request);
          ASSERT_TRUE(after) << after.error().message();
        }
        EXPECT_GT(tally.right, 0);
        if (!used_before) {
          EXPECT_GT(tally.refused, 0);
        }
      });
      EXPECT_EQ(status, 0) << "used before: " << used_before;
    }
  }
}

rlim_t address_space() {
  std::size_t pages = 0;
  FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr || std::fscanf(file, "%zu", &pages) != 1) pages = 0;
  if (file != nullptr) std::fclose(file);
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(Exhaustion, NoMemoryForAThread) {
  if (!std::string_view(PRX_SANITIZE).empty()) {
    return not_proven("fault.no_memory_for_a_thread", "a sanitizer reserves address space without end");
  }
  EXPECT_EQ(in_child([&] {
              const auto runtime = make_runtime();
              ASSERT_TRUE(runtime->execute(noop()));
              {
                // More than any stack that an earlier thread may have left for reuse.
                pthread_attr_t attributes;
                pthread_attr_init(&attributes);
                pthread_attr_setstacksize(&attributes, std::size_t{64} << 20U);
                pthread_setattr_default_np(&attributes);
                const Limit memory(RLIMIT_AS, address_space() + (std::size_t{16} << 20U));
                Tally tally;
                tally.count(run(*runtime, noop(2), true), 2);
                EXPECT_EQ(tally.refused, 1);
                sigset_t blocked;
                pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
                EXPECT_EQ(sigismember(&blocked, SIGTERM), 0) << "the host can still be ended";
              }
              EXPECT_EQ(run(*runtime, noop(2), true).value().exit_code, 2);
            }),
            0);
}

TEST_F(Exhaustion, NoMemoryForPrxInit) {
  if (std::string_view(PRX_SANITIZE) == "thread") {
    return not_proven("fault.no_memory_for_prx_init",
                      "the thread sanitizer itself needs more than the limit");
  }
  // The limit is inherited by everything that the host starts: too little for the request's buffer, then
  // enough.
  Tally tally;
  for (const std::size_t mebibytes : {2U, 4U, 6U, 8U, 12U, 64U}) {
    const int status = in_child([&] {
      const auto runtime = make_runtime();
      rlimit limit{};
      getrlimit(RLIMIT_DATA, &limit);
      limit.rlim_cur = mebibytes << 20U;
      setrlimit(RLIMIT_DATA, &limit);
      Tally mine;
      mine.count(runtime->execute(noop(2)), 2);
      if (!HasFailure()) _exit(mine.right == 1 ? 10 : 11);
    });
    if (status == 10) ++tally.right;
    if (status == 11) ++tally.refused;
    EXPECT_TRUE(status == 10 || status == 11) << status << " with " << mebibytes << " MiB";
  }
  EXPECT_GT(tally.right, 0);
  EXPECT_GT(tally.refused, 0);
}

}  // namespace
}  // namespace prx::test
