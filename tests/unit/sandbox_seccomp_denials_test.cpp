// Each denial as its reason says it, in numbers of the C library's headers: what the table means by its own
// constants is checked against them.

#include <gtest/gtest.h>

#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/socket.h>

#include <linux/netlink.h>

#include <string_view>
#include <vector>

#include "sandbox/bpf_interpreter.hpp"
#include "sandbox/seccomp_profile.hpp"

namespace prx::sandbox {
namespace {

using os::Architecture;
using Inet = SeccompOptions::Inet;
using Unix = SeccompOptions::Unix;
using Args = std::vector<std::uint64_t>;

constexpr int kAllowed = 0;

/// The errno, 0 for a call that is allowed, -1 for anything else. On x86_64 and aarch64 the same, or -2.
int verdict(SeccompOptions options, std::string_view name, const Args& args) {
  options.observe = false;
  int verdicts[2] = {};
  int* each = verdicts;
  for (const Architecture architecture : {Architecture::x86_64, Architecture::aarch64}) {
    options.architecture = architecture;
    seccomp_data call{};
    call.arch = static_cast<std::uint32_t>(architecture);
    call.nr = os::find_syscall(name)->on(architecture);
    std::copy(args.begin(), args.end(), call.args);
    const auto result = run_filter(seccomp_program(options).filter, call);
    if (result == std::uint32_t{SECCOMP_RET_ALLOW}) {
      *each++ = kAllowed;
    } else {
      *each++ = result && (*result & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO
                    ? static_cast<int>(*result & SECCOMP_RET_DATA)
                    : -1;
    }
  }
  return verdicts[0] == verdicts[1] ? verdicts[0] : -2;
}

/// The same with something in each high half that is not looked at.
int verdict_with_high_halves(const SeccompOptions& options, std::string_view name, Args args) {
  for (auto& arg : args) arg |= 0xdeadbeef'00000000;
  return verdict(options, name, args);
}

std::uint64_t bits(long long value) {
  return static_cast<std::uint64_t>(value);
}

TEST(SeccompDenials, CallsThatAreDeniedWhateverTheirArguments) {
  for (const std::string_view name : {"add_key",
                                      "keyctl",
                                      "request_key",
                                      "bpf",
                                      "perf_event_open",
                                      "userfaultfd",
                                      "kexec_load",
                                      "kexec_file_load",
                                      "init_module",
                                      "finit_module",
                                      "delete_module",
                                      "syslog",
                                      "mount",
                                      "umount2",
                                      "pivot_root",
                                      "open_tree",
                                      "open_tree_attr",
                                      "move_mount",
                                      "mount_setattr",
                                      "fsopen",
                                      "fsconfig",
                                      "fsmount",
                                      "fspick",
                                      "chroot",
                                      "setns",
                                      "open_by_handle_at",
                                      "pidfd_getfd",
                                      "swapon",
                                      "swapoff",
                                      "reboot",
                                      "acct",
                                      "quotactl",
                                      "quotactl_fd",
                                      "settimeofday",
                                      "clock_settime",
                                      "sethostname",
                                      "setdomainname"}) {
    EXPECT_EQ(verdict({}, name, {}), EPERM) << name;
    EXPECT_EQ(verdict({}, name, {1, 2, 3, 4, 5, 6}), EPERM) << name;
  }
}

TEST(SeccompDenials, CallsThatAreNotThere) {
  for (const std::string_view name : {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"}) {
    EXPECT_EQ(verdict({}, name, {}), ENOSYS) << name;
  }
}

TEST(SeccompDenials, DebuggersWork) {
  for (const std::string_view name : {"ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open",
                                      "pidfd_send_signal", "kcmp", "name_to_handle_at", "seccomp"}) {
    EXPECT_EQ(verdict({}, name, {1, 2, 3, 4, 5, 6}), kAllowed) << name;
  }
}

TEST(SeccompDenials, NewNamespaces) {
  for (const int flag : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER,
                         CLONE_NEWPID, CLONE_NEWNET}) {
    for (const std::string_view name : {"clone", "unshare"}) {
      EXPECT_EQ(verdict({}, name, {bits(flag)}), EPERM) << name << flag;
      EXPECT_EQ(verdict_with_high_halves({}, name, {bits(flag)}), EPERM) << name << flag;
    }
  }
  EXPECT_EQ(verdict({}, "unshare", {CLONE_NEWTIME}), EPERM);
  EXPECT_EQ(verdict({}, "unshare", {0x00100000}), EPERM) << "UNSHARE_EMPTY_MNTNS";
  EXPECT_EQ(verdict({}, "unshare", {std::uint64_t{1} << 37U}), EPERM);
  EXPECT_EQ(verdict({}, "unshare", {CLONE_FS | CLONE_FILES | CLONE_SYSVSEM}), kAllowed);
  EXPECT_EQ(verdict({}, "unshare", {CLONE_VM | CLONE_SIGHAND | CLONE_THREAD}), kAllowed);
  // fork, a thread, and posix_spawn of glibc.
  EXPECT_EQ(verdict({}, "clone", {SIGCHLD | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID}), kAllowed);
  EXPECT_EQ(verdict({}, "clone", {0x3d0f00}), kAllowed);
  EXPECT_EQ(verdict({}, "clone", {CLONE_VM | CLONE_VFORK | SIGCHLD}), kAllowed);
  EXPECT_EQ(verdict({}, "clone", {CLONE_PIDFD | CLONE_PARENT | CLONE_UNTRACED | 0xff}), kAllowed);
}

TEST(SeccompDenials, WritingIntoTheTerminal) {
  for (const unsigned long request : {bits(TIOCSTI), bits(TIOCLINUX), bits(TIOCCONS), bits(TIOCSETD)}) {
    EXPECT_EQ(verdict({}, "ioctl", {0, request}), EPERM) << request;
    EXPECT_EQ(verdict_with_high_halves({}, "ioctl", {0, request}), EPERM) << request;
  }
  for (const unsigned long request : {bits(TCGETS), bits(TCSETSW), bits(TIOCGWINSZ), bits(TIOCSPGRP),
                                      bits(TIOCSCTTY), bits(FIONREAD), bits(TIOCNOTTY), bits(TIOCGETD)}) {
    EXPECT_EQ(verdict({}, "ioctl", {0, request}), kAllowed) << request;
  }
}

TEST(SeccompDenials, Personality) {
  for (const std::uint64_t persona :
       {bits(PER_LINUX), bits(PER_LINUX32), bits(0xffffffff), bits(UNAME26), bits(ADDR_NO_RANDOMIZE),
        bits(PER_LINUX32) | bits(UNAME26), bits(ADDR_COMPAT_LAYOUT), bits(ADDR_LIMIT_3GB)}) {
    EXPECT_EQ(verdict({}, "personality", {persona}), kAllowed) << persona;
    EXPECT_EQ(verdict_with_high_halves({}, "personality", {persona}), kAllowed) << persona;
  }
  for (const std::uint64_t persona : {bits(READ_IMPLIES_EXEC), bits(MMAP_PAGE_ZERO), bits(PER_SVR4),
                                      bits(READ_IMPLIES_EXEC | ADDR_NO_RANDOMIZE), bits(0xfffffffe)}) {
    EXPECT_EQ(verdict({}, "personality", {persona}), EPERM) << persona;
  }
}

TEST(SeccompDenials, SocketFamilies) {
  const SeccompOptions open;
  for (const int family : {AF_UNIX, AF_INET, AF_INET6}) {
    for (const int type :
         {int{SOCK_STREAM}, int{SOCK_DGRAM}, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, int{SOCK_RAW}}) {
      EXPECT_EQ(verdict(open, "socket", {bits(family), bits(type), 0}), kAllowed) << family << " " << type;
    }
  }
  for (int family = 0; family < 64; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
    for (const Inet inet : {Inet::none, Inet::streams, Inet::all}) {
      const SeccompOptions options{.inet = inet};
      EXPECT_EQ(verdict(options, "socket", {bits(family), SOCK_STREAM, 0}), EAFNOSUPPORT) << family;
      EXPECT_EQ(verdict_with_high_halves(options, "socket", {bits(family), SOCK_DGRAM, 0}), EAFNOSUPPORT);
    }
  }
  EXPECT_EQ(verdict(open, "socket", {AF_INET, SOCK_PACKET, 0}), EAFNOSUPPORT) << "AF_PACKET's other name";
  EXPECT_EQ(verdict(open, "socket", {AF_INET, SOCK_PACKET | SOCK_CLOEXEC, 0x300}), EAFNOSUPPORT);
  EXPECT_EQ(verdict(open, "socket", {bits(-1), SOCK_STREAM, 0}), EAFNOSUPPORT);
}

TEST(SeccompDenials, Netlink) {
  EXPECT_EQ(verdict({}, "socket", {AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE}), kAllowed);
  for (int protocol = 1; protocol < 32; ++protocol) {
    EXPECT_EQ(verdict({}, "socket", {AF_NETLINK, SOCK_RAW, bits(protocol)}), EPROTONOSUPPORT) << protocol;
    EXPECT_EQ(verdict_with_high_halves({}, "socket", {AF_NETLINK, SOCK_RAW, bits(protocol)}),
              EPROTONOSUPPORT);
  }
  EXPECT_EQ(verdict({.inet = Inet::none}, "socket", {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE}), EACCES);
  EXPECT_EQ(verdict({.inet = Inet::streams}, "socket", {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE}), EACCES);
}

TEST(SeccompDenials, NoNetwork) {
  const SeccompOptions none{.inet = Inet::none};
  for (const int family : {AF_INET, AF_INET6}) {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_DCCP}) {
      for (const int protocol : {0, int{IPPROTO_TCP}, int{IPPROTO_UDP}, int{IPPROTO_SCTP}, 262}) {
        EXPECT_EQ(verdict(none, "socket", {bits(family), bits(type), bits(protocol)}), EACCES);
        EXPECT_EQ(verdict_with_high_halves(none, "socket", {bits(family), bits(type), bits(protocol)}),
                  EACCES);
      }
    }
  }
  EXPECT_EQ(verdict(none, "socket", {AF_UNIX, SOCK_STREAM, 0}), kAllowed);
}

TEST(SeccompDenials, OnlyTcp) {
  const SeccompOptions streams{.inet = Inet::streams};
  for (const int family : {AF_INET, AF_INET6}) {
    const auto socket = [&](int type, int protocol) {
      return verdict(streams, "socket", {bits(family), bits(type), bits(protocol)});
    };
    EXPECT_EQ(socket(SOCK_STREAM, 0), kAllowed);
    EXPECT_EQ(socket(SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP), kAllowed);
    EXPECT_EQ(socket(SOCK_STREAM, 262), EPROTONOSUPPORT) << "MPTCP";
    EXPECT_EQ(socket(SOCK_STREAM, IPPROTO_SCTP), EPROTONOSUPPORT);
    EXPECT_EQ(socket(SOCK_STREAM, 256), EPROTONOSUPPORT) << "SMC";
    EXPECT_EQ(socket(SOCK_DGRAM, 0), EACCES);
    EXPECT_EQ(socket(SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP), EACCES);
    EXPECT_EQ(socket(SOCK_RAW, IPPROTO_TCP), EACCES);
    EXPECT_EQ(socket(SOCK_SEQPACKET, IPPROTO_SCTP), EACCES);
    EXPECT_EQ(verdict_with_high_halves(streams, "socket", {bits(family), SOCK_STREAM, 262}), EPROTONOSUPPORT);
  }
  for (const auto& [name, at] : {std::pair{"sendto", 3U}, {"sendmsg", 2U}, {"sendmmsg", 3U}}) {
    Args args(4);
    EXPECT_EQ(verdict(streams, name, args), kAllowed);
    args[at] = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE;
    EXPECT_EQ(verdict(streams, name, args), kAllowed);
    args[at] |= MSG_FASTOPEN;
    EXPECT_EQ(verdict(streams, name, args), EOPNOTSUPP);
    EXPECT_EQ(verdict_with_high_halves(streams, name, args), EOPNOTSUPP);
    EXPECT_EQ(verdict({}, name, args), kAllowed);
  }
  EXPECT_EQ(verdict(streams, "setsockopt", {3, IPPROTO_TCP, TCP_FASTOPEN_CONNECT}), EOPNOTSUPP);
  EXPECT_EQ(verdict_with_high_halves(streams, "setsockopt", {3, IPPROTO_TCP, TCP_FASTOPEN_CONNECT}),
            EOPNOTSUPP);
  EXPECT_EQ(verdict(streams, "setsockopt", {3, IPPROTO_TCP, TCP_ULP}), ENOPROTOOPT);
  EXPECT_EQ(verdict(streams, "setsockopt", {3, IPPROTO_TCP, TCP_NODELAY}), kAllowed);
  EXPECT_EQ(verdict(streams, "setsockopt", {3, SOL_SOCKET, TCP_FASTOPEN_CONNECT}), kAllowed);
}

TEST(SeccompDenials, UnixSocketsOnlyAsPairs) {
  const SeccompOptions pairs{.unix_sockets = Unix::pairs};
  for (const int type : {int{SOCK_STREAM}, int{SOCK_DGRAM}, SOCK_SEQPACKET | SOCK_CLOEXEC}) {
    EXPECT_EQ(verdict(pairs, "socket", {AF_UNIX, bits(type), 0}), EACCES);
    EXPECT_EQ(verdict_with_high_halves(pairs, "socket", {AF_UNIX, bits(type), 0}), EACCES);
    EXPECT_EQ(verdict(pairs, "socketpair", {AF_UNIX, bits(type), 0}), kAllowed);
  }
  EXPECT_EQ(verdict(pairs, "socket", {AF_INET, SOCK_STREAM, 0}), kAllowed);
  EXPECT_EQ(verdict({}, "socketpair", {AF_TIPC, SOCK_STREAM, 0}), EAFNOSUPPORT);
}

TEST(SeccompDenials, WhatReachesTheHostWithoutNamespaces) {
  const SeccompOptions shared{.own_ipc = false, .own_pids = false};
  for (const std::string_view name : {"shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl",
                                      "semget", "semop", "semtimedop", "semctl", "mq_open", "mq_unlink"}) {
    EXPECT_EQ(verdict(shared, name, {}), EACCES) << name;
    EXPECT_EQ(verdict({}, name, {}), kAllowed) << name;
  }
  const std::uint64_t pointer = 0x7fff'00000000;
  EXPECT_EQ(verdict(shared, "prlimit64", {0, 7, pointer, 0}), kAllowed) << "its own";
  EXPECT_EQ(verdict(shared, "prlimit64", {1234, 7, 0, pointer}), kAllowed) << "to read";
  EXPECT_EQ(verdict(shared, "prlimit64", {1234, 7, pointer, 0}), EPERM);
  EXPECT_EQ(verdict(shared, "prlimit64", {1234, 7, 16, 0}), EPERM);
  EXPECT_EQ(verdict({}, "prlimit64", {1234, 7, pointer, 0}), kAllowed);
}

/// What healthy programs do as a matter of course is never told to a listener, also where it is denied.
TEST(SeccompDenials, NoCallOfAHealthyProgramNotifies) {
  struct Case {
    const char* name;
    Args args;
  };
  const std::vector<Case> cases = {
      {"socket", {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0}},  // glibc looks for nscd
      {"socket", {AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0}},                   // getaddrinfo sorts addresses
      {"socket", {AF_INET6, SOCK_DGRAM, IPPROTO_UDP}},                       // curl looks for IPv6
      {"socket", {AF_INET, SOCK_STREAM, 262}},                               // Go looks for MPTCP
      {"socket", {AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE}},      // getifaddrs
      {"socket", {AF_NETLINK, SOCK_RAW, NETLINK_AUDIT}},                     // su, useradd
      {"socket", {AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT}},            // libudev
      {"socket", {AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG}},                 // ss
      {"clone3", {}},
      {"io_uring_setup", {}},
      {"close", {3}},
      {"execve", {}},
      {"prlimit64", {0, 3, 0, 1}},
      {"shmget", {}},
  };
  for (const Inet inet : {Inet::none, Inet::streams, Inet::all}) {
    for (const Unix unix_sockets : {Unix::pairs, Unix::all}) {
      const auto filter =
          seccomp_program({os::Architecture::x86_64, inet, unix_sockets, false, false, true}).filter;
      for (const Case& each : cases) {
        seccomp_data call{};
        call.arch = AUDIT_ARCH_X86_64;
        call.nr = os::find_syscall(each.name)->x86_64;
        std::copy(each.args.begin(), each.args.end(), call.args);
        EXPECT_NE(run_filter(filter, call), std::uint32_t{SECCOMP_RET_USER_NOTIF}) << each.name;
      }
    }
  }
}

}  // namespace
}  // namespace prx::sandbox
