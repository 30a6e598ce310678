#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

#include "core/verdict.hpp"

namespace prx::core {
namespace {

using protocol::Cause;
using protocol::Step;
using protocol::Trailer;

Trailer failed(Step step, int error, std::string_view subject = "/subject") {
  Trailer trailer;
  trailer.cause = Cause::setup_failed;
  trailer.step = step;
  trailer.error = error;
  trailer.subject = subject;
  return trailer;
}

struct Case {
  Step step;
  int error;
  ErrorKind kind;
  bool hint;
};

TEST(Verdict, EveryStepAndErrnoHasItsKind) {
  const Case cases[] = {
      {Step::request, EBADMSG, ErrorKind::internal, false},
      {Step::request, ENOMEM, ErrorKind::exhausted, true},
      {Step::stdio, EMFILE, ErrorKind::exhausted, true},
      {Step::stdio, EIO, ErrorKind::setup_failed, false},
      {Step::terminal, ENOSPC, ErrorKind::exhausted, false},
      {Step::terminal, ENOENT, ErrorKind::setup_failed, false},
      {Step::chdir, ENOENT, ErrorKind::not_found, true},
      {Step::chdir, ENOTDIR, ErrorKind::invalid_request, true},
      {Step::chdir, ELOOP, ErrorKind::invalid_request, true},
      {Step::chdir, EACCES, ErrorKind::denied, true},
      {Step::chdir, ENAMETOOLONG, ErrorKind::invalid_request, true},
      {Step::chdir, ENOMEM, ErrorKind::exhausted, true},
      {Step::chdir, EIO, ErrorKind::setup_failed, false},
      {Step::fork, EAGAIN, ErrorKind::exhausted, true},
      {Step::fork, ENOMEM, ErrorKind::exhausted, true},
      {Step::session, EPERM, ErrorKind::setup_failed, false},
      {Step::exec, ENOENT, ErrorKind::not_found, true},
      {Step::exec, ENOTDIR, ErrorKind::not_found, true},
      {Step::exec, EACCES, ErrorKind::not_executable, true},
      {Step::exec, EPERM, ErrorKind::not_executable, true},
      {Step::exec, ENOEXEC, ErrorKind::not_executable, true},
      {Step::exec, ETXTBSY, ErrorKind::exhausted, true},
      {Step::exec, ELOOP, ErrorKind::invalid_request, true},
      {Step::exec, ENAMETOOLONG, ErrorKind::invalid_request, true},
      {Step::exec, E2BIG, ErrorKind::invalid_request, true},
      {Step::exec, EMFILE, ErrorKind::exhausted, true},
      {Step::exec, ENOMEM, ErrorKind::exhausted, true},
      {Step::exec, EIO, ErrorKind::setup_failed, false},
      {Step::interpreter, ENOENT, ErrorKind::not_executable, true},
      {Step::slot, EAGAIN, ErrorKind::exhausted, true},
      {Step::limits, EACCES, ErrorKind::unavailable, true},
      {Step::limits, ENOENT, ErrorKind::unavailable, true},
      {Step::limits, ENOMEM, ErrorKind::exhausted, true},
  };
  for (const auto& one : cases) {
    const auto error = setup_error(failed(one.step, one.error), {});
    const auto what = std::string(protocol::to_string(one.step)) + ' ' + std::to_string(one.error);
    EXPECT_EQ(to_string(error.kind), to_string(one.kind)) << what;
    EXPECT_EQ(error.step, protocol::to_string(one.step));
    EXPECT_EQ(error.subject, "/subject");
    EXPECT_EQ(error.os_errno, one.error);
    EXPECT_EQ(!error.hint.empty(), one.hint) << what << ": " << error.hint;
    // Where prx knows what to do about it, it also says in its own words what it is.
    const bool is_explained = one.kind != ErrorKind::exhausted && one.kind != ErrorKind::setup_failed;
    EXPECT_TRUE(!one.hint || !is_explained || !error.detail.empty()) << what;
  }
}

TEST(Verdict, AProgramWithoutASlashWasLookedForInPath) {
  EXPECT_NE(setup_error(failed(Step::exec, ENOENT, "tool"), {}).detail.find("PATH"), std::string::npos);
  EXPECT_EQ(setup_error(failed(Step::exec, ENOENT, "./tool"), {}).detail.find("PATH"), std::string::npos);
}

TEST(Verdict, TooLongSaysWhatIs) {
  RequestPlan plan;
  plan.fields.argv = {std::string(131'071, 'x')};
  EXPECT_NE(setup_error(failed(Step::exec, E2BIG), plan).detail.find("together"), std::string::npos);
  plan.fields.argv = {std::string(131'072, 'x')};
  EXPECT_NE(setup_error(failed(Step::exec, E2BIG), plan).detail.find("one argument"), std::string::npos);
  plan.fields.argv = {"x"};
  plan.fields.env = {std::string(131'072, 'x')};
  EXPECT_NE(setup_error(failed(Step::exec, E2BIG), plan).detail.find("one argument or variable"),
            std::string::npos);
}

TEST(Verdict, Endings) {
  using std::chrono::milliseconds;
  Trailer trailer;
  RequestPlan plan;
  plan.timeout = milliseconds(5);
  trailer.wait_status = 7 << 8;
  EXPECT_EQ(std::get<Exited>(ending_of(trailer, plan)).code, 7);
  trailer.wait_status = SIGSEGV | 0x80;  // with a core
  EXPECT_EQ(std::get<Signaled>(ending_of(trailer, plan)).signal, SIGSEGV);
  trailer.cause = Cause::timed_out;
  EXPECT_EQ(std::get<TimedOut>(ending_of(trailer, plan)).limit, milliseconds(5));
  trailer.cause = Cause::cancelled;
  trailer.cancel_signal = SIGINT;
  EXPECT_EQ(std::get<Cancelled>(ending_of(trailer, plan)).signal, SIGINT);
  Trailer trapped;
  trapped.trap = protocol::Trap::stack_overflow;
  EXPECT_EQ(std::get<Trapped>(ending_of(trapped, plan)).trap, "stack-overflow");
}

TEST(Verdict, EndingsOfLimits) {
  Trailer trailer;
  RequestPlan plan;
  plan.max_memory = Bytes{7};
  trailer.wait_status = SIGKILL;
  EXPECT_EQ(std::get<Signaled>(ending_of(trailer, plan)).signal, SIGKILL);
  trailer.oom_kills = 1;
  EXPECT_EQ(std::get<OutOfMemory>(ending_of(trailer, plan)).limit, Bytes{7});
  // Another process was the victim, and this one went on.
  trailer.wait_status = 0;
  EXPECT_EQ(std::get<Exited>(ending_of(trailer, plan)).code, 0);
  trailer.wait_status = SIGTERM;
  EXPECT_EQ(std::get<Signaled>(ending_of(trailer, plan)).signal, SIGTERM);
  trailer.oom_kills = 0;
  trailer.cause = Cause::out_of_memory;
  EXPECT_EQ(exit_code_of(ending_of(trailer, plan)), 137);
  trailer.cause = Cause::cpu_time;
  EXPECT_EQ(std::get<Violated>(ending_of(trailer, plan)).rule, "security.resources.max_cpu_time_seconds");
  trailer.cause = Cause::itself;
  trailer.wait_status = SIGXFSZ;
  EXPECT_EQ(std::get<Signaled>(ending_of(trailer, plan)).signal, SIGXFSZ) << "the host's own limit";
  plan.has_file_limit = true;
  EXPECT_EQ(std::get<Violated>(ending_of(trailer, plan)).rule, "security.resources.max_file_size_mb");
}

TEST(Verdict, TheTrailerFillsTheOutput) {
  Trailer trailer;
  trailer.cause = Cause::timed_out;
  trailer.user_us = 1;
  trailer.system_us = 2;
  trailer.max_rss_bytes = 3;
  trailer.spawn_ns = 4000;
  trailer.run_ns = 5000;
  trailer.cleanup_ns = 6999;
  trailer.leftovers_killed = 7;
  RequestPlan plan;
  plan.timeout = std::chrono::seconds(8);
  ExecutionOutput output;
  apply_trailer(trailer, plan, output);
  EXPECT_EQ(output.exit_code, 124);
  EXPECT_EQ(std::get<TimedOut>(output.ending).limit, plan.timeout);
  EXPECT_EQ(output.usage.user_cpu.count(), 1);
  EXPECT_EQ(output.usage.system_cpu.count(), 2);
  EXPECT_EQ(output.usage.max_rss, Bytes{3});
  EXPECT_EQ(output.timings.spawn.count(), 4);
  EXPECT_EQ(output.timings.run.count(), 5);
  EXPECT_EQ(output.timings.cleanup.count(), 6);
  EXPECT_EQ(output.leftovers.killed, 7U);
  EXPECT_TRUE(output.warnings.empty());
  trailer.leftovers_alive = 2;
  apply_trailer(trailer, plan, output);
  ASSERT_EQ(output.warnings.size(), 1U);
  EXPECT_NE(output.warnings[0].find('2'), std::string::npos);
}

}  // namespace
}  // namespace prx::core
