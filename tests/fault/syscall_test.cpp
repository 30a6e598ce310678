// Every system call of a start fails in turn, in the host, the spawner and the init: the result is an Error
// or the right one, nothing hangs and nothing is left.
#include <cerrno>
#include <string_view>

#include "fault/fault.hpp"
#include "fault/syscall_tracer.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"

namespace prx::test {
namespace {

using std::chrono::seconds;

constexpr seconds kDeadline{15};

class Syscalls : public Fault {
 protected:
  void fail_each(const std::vector<std::string>& options, int error) {
    if (!can_trace()) return not_proven("fault.syscalls", "no tracer for this machine");
    auto argv = options;
    argv.insert(argv.begin(), fault_host_path());
    argv.insert(argv.end(), {"run", probe_path("noop"), "7"});
    const auto clean = run_traced(argv, {}, kDeadline);
    ASSERT_FALSE(clean.hung) << clean.hung_in;
    ASSERT_EQ(clean.out, "exited 7\n");
    int errors = 0;
    const int step = std::string_view(PRX_SANITIZE).empty() ? 1 : 7;
    for (long number = 1; number <= clean.calls + 5; number += step) {
      const auto run = run_traced(argv, {.number = number, .error = error}, kDeadline);
      const auto what = run.failed + " (" + std::to_string(number) + ") with " + std::to_string(error);
      ASSERT_FALSE(run.hung) << what << ": " << run.hung_in;
      ASSERT_TRUE(nothing_left()) << what << " left " << children_of_this_process().front().describe();
      EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << what << " ended the host: " << run.exit_code;
      EXPECT_TRUE(run.out == "exited 7\n" || run.out.starts_with("error ")) << what << ": " << run.out;
      errors += run.out.starts_with("error ") ? 1 : 0;
    }
    EXPECT_GT(errors, 5) << "of " << clean.calls;
  }
};

TEST_F(Syscalls, OfALibraryHostOutOfMemory) {
  fail_each({}, ENOMEM);
}
TEST_F(Syscalls, OfALibraryHostForbidden) {
  fail_each({}, EACCES);
}
TEST_F(Syscalls, OfALibraryHostThatStarts) {
  fail_each({"start"}, EMFILE);
}
TEST_F(Syscalls, OfAOneShotHostOutOfMemory) {
  fail_each({"one_shot"}, ENOMEM);
}
TEST_F(Syscalls, OfAOneShotHostUnknown) {
  fail_each({"one_shot"}, ENOSYS);
}

}  // namespace
}  // namespace prx::test
