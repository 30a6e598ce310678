// Every system call of a start fails in turn, in the host, the spawner and the init: the result is an Error
// or the right one, nothing hangs and nothing is left.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "fault/fault.hpp"
#include "fault/syscall_tracer.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

using std::chrono::seconds;

constexpr seconds kDeadline{15};

class Syscalls : public Fault {
 protected:
  void fail_each(const std::vector<std::string>& options, int error) {
    if (!std::string_view(PRX_SANITIZE).empty()) {
      return not_proven("fault.syscalls_sanitized", "the calls of the sanitizer itself would fail");
    }
    if (!can_trace()) return not_proven("fault.syscalls", "no tracer for this machine");
    auto argv = options;
    argv.insert(argv.begin(), fault_host_path());
    argv.insert(argv.end(), {"run", probe_path("noop"), "7"});
    const auto clean = run_traced(argv, {}, kDeadline);
    ASSERT_FALSE(clean.hung) << clean.hung_in;
    ASSERT_EQ(clean.out, "exited 7\n");
    int errors = 0;
    for (long number = 1; number <= clean.calls + 5; ++number) {
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

/// A set-up of which one call has failed, whichever, ends in an Error or in the whole sandbox: a command that
/// reads what it must not see ends with 8.
class SandboxSyscalls : public Fault {
 protected:
  void SetUp() override {
    Fault::SetUp();
    std::filesystem::create_directory(workspace_);
    write(command_, "#!/bin/sh\nread -r secret < \"$1\" && exit 8\nexit 7\n");
    std::filesystem::permissions(command_, std::filesystem::perms::owner_all);
    write(secret_, "secret\n");
  }

  /// A part of the calls, from a first one at random: all would take minutes.
  void fail_some(const std::vector<std::string>& options, int error) {
    if (!std::string_view(PRX_SANITIZE).empty()) {
      return not_proven("fault.syscalls_sanitized", "the calls of the sanitizer itself would fail");
    }
    if (!can_trace()) return not_proven("fault.syscalls", "no tracer for this machine");
    const InDirectory here(workspace_);
    const auto open = run_traced(command_line({}), {}, kDeadline);
    ASSERT_EQ(open.out, "exited 8\n") << "without a sandbox the command reads it";
    const auto argv = command_line(options);
    const auto clean = run_traced(argv, {}, kDeadline);
    ASSERT_EQ(clean.out, "exited 7\n");
    int errors = 0;
    const int stride = static_cast<int>(clean.calls / kSamples) + 1;
    for (long number = 1 + random_below(stride); number <= clean.calls; number += stride) {
      const auto run = run_traced(argv, {.number = number, .error = error}, kDeadline);
      const auto what = run.failed + " (" + std::to_string(number) + ") with " + std::to_string(error);
      ASSERT_FALSE(run.hung) << what << ": " << run.hung_in;
      ASSERT_TRUE(nothing_left()) << what << " left " << children_of_this_process().front().describe();
      EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << what << " ended the host: " << run.exit_code;
      EXPECT_TRUE(run.out == "exited 7\n" || run.out.starts_with("error ")) << what << ": " << run.out;
      errors += run.out.starts_with("error ") ? 1 : 0;
    }
    EXPECT_GT(errors, 5) << "of " << kSamples << " in " << clean.calls;
  }

 private:
  static constexpr long kSamples = 80;

  [[nodiscard]] std::vector<std::string> command_line(const std::vector<std::string>& options) const {
    std::vector<std::string> argv{fault_host_path()};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.insert(argv.end(), {"run", command_, secret_});
    return argv;
  }
  static void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

  TempDir folder_;
  std::string workspace_ = folder_ / "workspace";
  std::string command_ = workspace_ + "/noop";  // the name that the tracer leaves alone
  std::string secret_ = folder_ / "secret";
};

TEST_F(SandboxSyscalls, OfALibraryHostForbidden) {
  fail_some({"sandboxed"}, EPERM);
}
TEST_F(SandboxSyscalls, OfALibraryHostOutOfMemory) {
  fail_some({"sandboxed"}, ENOMEM);
}
TEST_F(SandboxSyscalls, OfAOneShotHostUnknown) {
  fail_some({"one_shot", "sandboxed"}, ENOSYS);
}
TEST_F(SandboxSyscalls, OfAOneShotHostForbidden) {
  fail_some({"one_shot", "sandboxed"}, EACCES);
}

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
