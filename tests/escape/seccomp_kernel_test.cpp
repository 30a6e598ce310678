// The filter in the kernel: what it must stop is stopped, and the same call without it gets another answer.

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "escape/filtered.hpp"
#include "init/denials.hpp"
#include "protocol/seccomp_denials.hpp"
#include "sandbox/seccomp_profile.hpp"
#include "support/not_proven.hpp"

namespace prx::sandbox {
namespace {

using protocol::SeccompRule;
using test::FilteredRun;
using test::run_filtered;
using Inet = SeccompOptions::Inet;
using Unix = SeccompOptions::Unix;

const SeccompOptions kLandlockKind{
    .inet = Inet::streams, .unix_sockets = Unix::pairs, .own_ipc = false, .own_pids = false};

/// Arguments that do no harm where the call is not denied.
struct Probe {
  const char* name;
  std::vector<long> args;
  int error;  ///< under the filter
};

long make(const Probe& probe) {
  long args[6] = {};
  std::copy(probe.args.begin(), probe.args.end(), args);
  return syscall(os::find_syscall(probe.name)->on(os::kArchitecture), args[0], args[1], args[2], args[3],
                 args[4], args[5]);
}

long text(const char* literal) {
  return reinterpret_cast<long>(literal);
}

/// The errno of each probe, 0 for one that works.
std::vector<int> errors_of(const std::vector<Probe>& probes, const std::vector<sock_filter>& filter,
                           std::vector<test::NotifiedCall>* notified = nullptr) {
  const FilteredRun run = run_filtered(filter, [&] {
    for (const Probe& probe : probes) {
      errno = 0;
      std::printf("%d\n", make(probe) < 0 ? errno : 0);
    }
    return 0;
  });
  EXPECT_EQ(run.exit_code, 0) << run.out;
  if (notified != nullptr) *notified = run.notified;
  std::vector<int> errors;
  std::istringstream lines(run.out);
  for (int error = 0; lines >> error;) errors.push_back(error);
  return errors;
}

void expect_denied(const SeccompOptions& options, const std::vector<Probe>& probes) {
  SeccompOptions plain = options;
  plain.observe = false;
  std::vector<test::NotifiedCall> notified;
  const auto outside = errors_of(probes, {});
  const auto inside = errors_of(probes, seccomp_program(plain).filter);
  const auto observed = errors_of(probes, seccomp_program(options).filter, &notified);
  ASSERT_EQ(outside.size(), probes.size());
  ASSERT_EQ(inside.size(), probes.size());
  ASSERT_EQ(observed.size(), probes.size());
  for (std::size_t i = 0; i < probes.size(); ++i) {
    EXPECT_NE(outside[i], probes[i].error) << probes[i].name << ": the control must get another answer";
    EXPECT_EQ(inside[i], probes[i].error) << probes[i].name;
    EXPECT_EQ(observed[i], probes[i].error) << probes[i].name << ", observed";
  }
  for (const test::NotifiedCall& call : notified) {
    EXPECT_NE(protocol::answer_denial(call.call).rule, SeccompRule::unknown) << call.call.nr;
  }
}

// Guarantees: KERN-1, KERN-2
TEST(SeccompKernel, CallsThatAreDeniedByName) {
  if (geteuid() != 0) {
    return test::not_proven("escape.seccomp_denied_by_name",
                            "only root gets another answer without the filter");
  }
  const long nowhere = text("/nonexistent/prx");
  expect_denied({}, {
                        {"add_key", {}, EPERM},
                        {"keyctl", {0xffff}, EPERM},
                        {"request_key", {}, EPERM},
                        {"bpf", {9999}, EPERM},
                        {"perf_event_open", {}, EPERM},
                        {"userfaultfd", {0x7fffffff}, EPERM},
                        {"kexec_load", {0, 0, 0, 0x7fff0000}, EPERM},
                        {"finit_module", {-1}, EPERM},
                        {"delete_module", {}, EPERM},
                        {"syslog", {99}, EPERM},
                        {"mount", {nowhere, nowhere, nowhere}, EPERM},
                        {"umount2", {nowhere}, EPERM},
                        {"pivot_root", {nowhere, nowhere}, EPERM},
                        {"open_tree", {-1, nowhere}, EPERM},
                        {"move_mount", {-1, nowhere, -1, nowhere}, EPERM},
                        {"mount_setattr", {-1, nowhere}, EPERM},
                        {"fsopen", {0, -1}, EPERM},
                        {"fsconfig", {-1}, EPERM},
                        {"fsmount", {-1}, EPERM},
                        {"fspick", {-1, nowhere}, EPERM},
                        {"chroot", {nowhere}, EPERM},
                        {"unshare", {CLONE_NEWUTS}, EPERM},
                        {"unshare", {CLONE_NEWNS}, EPERM},
                        {"setns", {-1}, EPERM},
                        {"open_by_handle_at", {-1}, EPERM},
                        {"pidfd_getfd", {-1, -1}, EPERM},
                        {"swapon", {nowhere}, EPERM},
                        {"swapoff", {nowhere}, EPERM},
                        {"reboot", {}, EPERM},
                        {"acct", {nowhere}, EPERM},
                        {"quotactl", {0x7fffffff, nowhere}, EPERM},
                        {"settimeofday", {1}, EPERM},
                        {"clock_settime", {0, 1}, EPERM},
                        {"sethostname", {0, -1}, EPERM},
                        {"setdomainname", {0, -1}, EPERM},
                        {"personality", {0x0400000}, EPERM},
                        {"ioctl", {-1, 0x5412}, EPERM},
                        {"ioctl", {-1, 0x1'0000'5412}, EPERM},
                        {"ioctl", {-1, static_cast<long>(0xffffffff'0000541cUL)}, EPERM},
                        {"socket", {AF_PACKET, SOCK_RAW, 0}, EAFNOSUPPORT},
                        {"socket", {AF_INET, SOCK_PACKET, 0}, EAFNOSUPPORT},
                        {"socket", {AF_NETLINK, SOCK_RAW, 4}, EPROTONOSUPPORT},
                        {"socket", {AF_NETLINK, SOCK_RAW, 0x7'0000'0004}, EPROTONOSUPPORT},
                    });
}

// Guarantees: KERN-1
TEST(SeccompKernel, NewNamespacesThroughClone) {
  if (geteuid() != 0) {
    return test::not_proven("escape.seccomp_clone",
                            "an ordinary user may be denied namespaces without the filter");
  }
  const auto body = [] {
    for (const long flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID}) {
      const long child = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
      if (child == 0) _exit(0);
      std::printf("%d ", child < 0 ? errno : 0);
      if (child > 0) waitpid(static_cast<pid_t>(child), nullptr, 0);
    }
    const long plain = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (plain == 0) _exit(0);
    std::printf("%d", plain < 0 ? errno : 0);
    return waitpid(static_cast<pid_t>(plain), nullptr, 0) == plain ? 0 : 1;
  };
  EXPECT_EQ(run_filtered({}, body).out, "0 0 0 0 0");
  const FilteredRun run = run_filtered(seccomp_program({}).filter, body);
  EXPECT_EQ(run.out, "1 1 1 1 0");
  EXPECT_EQ(run.notified.size(), 4U);
}

TEST(SeccompKernel, WhatIsAbsentIsAsOnAnOlderKernel) {
  expect_denied({}, {{"clone3", {0, 0}, ENOSYS},
                     {"io_uring_setup", {0, 0}, ENOSYS},
                     {"io_uring_enter", {-1}, ENOSYS},
                     {"io_uring_register", {-1}, ENOSYS}});
}

TEST(SeccompKernel, TheWaysRoundTheNetworkOfTheLandlockKind) {
  expect_denied(kLandlockKind, {
                                   {"socket", {AF_INET, SOCK_DGRAM, 0}, EACCES},
                                   {"socket", {AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP}, EACCES},
                                   {"socket", {AF_UNIX, SOCK_STREAM, 0}, EACCES},
                                   {"socket", {AF_UNIX | 0x1'0000'0000, SOCK_STREAM, 0}, EACCES},
                                   {"socket", {AF_NETLINK, SOCK_RAW, 0}, EACCES},
                                   {"sendto", {-1, 0, 0, MSG_FASTOPEN}, EOPNOTSUPP},
                                   {"sendmsg", {-1, 0, MSG_FASTOPEN}, EOPNOTSUPP},
                                   {"sendmmsg", {-1, 0, 0, MSG_FASTOPEN}, EOPNOTSUPP},
                                   {"setsockopt", {-1, IPPROTO_TCP, TCP_FASTOPEN_CONNECT}, EOPNOTSUPP},
                                   {"setsockopt", {-1, IPPROTO_TCP, TCP_ULP}, ENOPROTOOPT},
                                   {"shmget", {0x70727801, 1, 0}, EACCES},
                                   {"shmat", {-1}, EACCES},
                                   {"msgget", {0x70727801, 0}, EACCES},
                                   {"semop", {-1}, EACCES},
                                   {"mq_unlink", {text("nonexistent-prx")}, EACCES},
                                   {"prlimit64", {1 << 30, 7, text("0123456789abcdef")}, EPERM},
                               });
  expect_denied({.inet = Inet::none}, {{"socket", {AF_INET, SOCK_STREAM, 0}, EACCES},
                                       {"socket", {AF_INET6, SOCK_STREAM, 0}, EACCES}});
  const auto allowed = errors_of({{"socket", {AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP}, 0},
                                  {"socket", {AF_INET6, SOCK_STREAM, 0}, 0},
                                  {"prlimit64", {0, 7, 0, 0}, 0}},
                                 seccomp_program(kLandlockKind).filter);
  EXPECT_EQ(allowed, std::vector<int>(3, 0));
}

TEST(SeccompKernel, MptcpIsNotHad) {
  const std::vector<Probe> probe = {{"socket", {AF_INET, SOCK_STREAM, 262}, EPROTONOSUPPORT}};
  if (errors_of(probe, {}).front() != 0)
    return test::not_proven("escape.seccomp_mptcp", "this kernel has no MPTCP");
  expect_denied(kLandlockKind, probe);
}

/// A message on a connection that connect(2) never made.
TEST(SeccompKernel, NothingIsSentByFastOpen) {
  const auto send_to_listener = [] {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener, generic, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, generic, &size) != 0) {
      return 2;
    }
    const int sender = socket(AF_INET, SOCK_STREAM, 0);
    std::printf("%zd", sendto(sender, "x", 1, MSG_FASTOPEN, generic, size));
    return 0;
  };
  const FilteredRun outside = run_filtered({}, send_to_listener);
  ASSERT_EQ(outside.exit_code, 0) << outside.out;
  if (outside.out != "1")
    return test::not_proven("escape.seccomp_fast_open", "this kernel has no TCP Fast Open");
  const FilteredRun inside = run_filtered(seccomp_program(kLandlockKind).filter, send_to_listener);
  EXPECT_EQ(inside.out, "-1");
  ASSERT_EQ(inside.notified.size(), 1U);
  EXPECT_EQ(protocol::answer_denial(inside.notified.front().call).rule, SeccompRule::fast_open);
}

#if defined(__x86_64__)
long call_i386(long number, long first) {
  long result = number;
  asm volatile("int $0x80" : "+a"(result) : "b"(first) : "memory", "r8", "r9", "r10", "r11");
  return result;
}

// Guarantees: KERN-3
TEST(SeccompKernel, AnotherArchitecturesCallsAreDenied) {
  constexpr long kGetpid = 20;
  const auto body = [] {
    std::printf("%d", call_i386(kGetpid, 0) == getpid());
    return 0;
  };
  if (run_filtered({}, body).out != "1") {
    return test::not_proven("escape.seccomp_i386", "this kernel runs no 32-bit programs");
  }
  const FilteredRun run = run_filtered(seccomp_program({}).filter, body);
  EXPECT_EQ(run.out, "0");
  ASSERT_EQ(run.notified.size(), 1U);
  EXPECT_EQ(run.notified.front().call.arch, std::uint32_t{AUDIT_ARCH_I386});
  EXPECT_EQ(protocol::answer_denial(run.notified.front().call).rule, SeccompRule::foreign_abi);
}

// Guarantees: KERN-3
TEST(SeccompKernel, X32CallsAreDenied) {
  const FilteredRun run = run_filtered(seccomp_program({}).filter, [] {
    const long result = syscall(static_cast<long>(os::kX32Bit) + SYS_getpid);
    std::printf("%ld %d", result, errno);
    return 0;
  });
  EXPECT_EQ(run.out, "-1 38");
  ASSERT_EQ(run.notified.size(), 1U) << "the filter answered, not a kernel without x32";
  EXPECT_EQ(protocol::answer_denial(run.notified.front().call).rule, SeccompRule::foreign_abi);
}
#endif

// Guarantees: KERN-4
TEST(SeccompKernel, ADeniedCommandCannotLoosenItsFilter) {
  // Its own filter that allows everything, and one that wants to be the listener.
  const FilteredRun run = run_filtered(seccomp_program({}).filter, [] {
    sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    sock_filter notify{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF};
    const sock_fprog allow_all{1, &allow};
    const sock_fprog notify_all{1, &notify};
    const long second = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &allow_all);
    const long listener =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &notify_all);
    const int busy = errno;
    std::printf("%ld %ld %d ", second, listener, busy == EBUSY);
    std::printf("%ld", syscall(SYS_add_key, 0, 0, 0, 0, 0));
    return 0;
  });
  EXPECT_EQ(run.out, "0 -1 1 -1");
  EXPECT_EQ(run.notified.size(), 1U);
}

/// What prx-init does with its listener.
class SeccompDenialCount : public ::testing::Test {
 protected:
  FilteredRun run(const std::function<int()>& body) {
    return run_filtered(seccomp_program({}).filter, body, [this](int listener, auto&) {
      still_there_ = denials_.answer_one(listener) && still_there_;
    });
  }

  init::DenialCount denials_;
  bool still_there_ = true;
};

// Guarantees: SAY-2
TEST_F(SeccompDenialCount, AnswersAndCountsByRule) {
  const FilteredRun result = run([] {
    int errors = 0;
    for (int i = 0; i < 3; ++i) errors += syscall(SYS_keyctl, 0) == -1 && errno == EPERM;
    errors += syscall(SYS_unshare, CLONE_NEWUSER) == -1 && errno == EPERM;
    errors += socket(AF_VSOCK, SOCK_STREAM, 0) == -1 && errno == EAFNOSUPPORT;
    std::printf("%d", errors);
    return 0;
  });
  EXPECT_EQ(result.out, "5");
  EXPECT_EQ(denials_.of(SeccompRule::keyring), 3U);
  EXPECT_EQ(denials_.of(SeccompRule::name_space), 1U);
  EXPECT_EQ(denials_.of(SeccompRule::socket_family), 1U);
  EXPECT_EQ(denials_.of(SeccompRule::mount), 0U);
  EXPECT_EQ(denials_.of(SeccompRule::unknown), 0U);
  EXPECT_TRUE(still_there_);
}

// Guarantees: SAY-2
TEST_F(SeccompDenialCount, ManyThreadsAtOnce) {
  const FilteredRun result = run([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([] {
        for (int n = 0; n < 200; ++n) syscall(SYS_add_key, 0, 0, 0, 0, 0);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return 0;
  });
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_EQ(denials_.of(SeccompRule::keyring), 1600U);
}

/// Callers that are killed while they wait: the listener goes on with the others.
// Guarantees: SAY-2
TEST_F(SeccompDenialCount, CallersThatDieMeanwhile) {
  const FilteredRun result = run([] {
    for (int i = 0; i < 100; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        for (;;) syscall(SYS_add_key, 0, 0, 0, 0, 0);
      }
      sched_yield();
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    std::printf("%d", syscall(SYS_keyctl, 0) == -1 && errno == EPERM);
    return 0;
  });
  EXPECT_EQ(result.out, "1");
  EXPECT_TRUE(still_there_);
  EXPECT_EQ(denials_.of(SeccompRule::unknown), 0U);
}

TEST_F(SeccompDenialCount, AListenerThatIsNoneIsClosed) {
  EXPECT_FALSE(denials_.answer_one(-1));
  for (std::size_t i = 0; i < protocol::kSeccompRules; ++i)
    EXPECT_EQ(denials_.of(static_cast<SeccompRule>(i)), 0U);
}

}  // namespace
}  // namespace prx::sandbox
