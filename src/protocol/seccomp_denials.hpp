// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <linux/seccomp.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "os/syscall_numbers.hpp"
#include "protocol/seccomp_rules.hpp"

/// What the filter of a slot denies by name. The host builds the filter from this table (src/sandbox), and
/// prx-init looks up in it what it answers for a call that the filter has notified: one table, so that both
/// say the same.
namespace prx::protocol {

/// A test of one half of an argument. Arguments that the kernel reads as 32 bits are tested in their low half
/// only, so what stands in the high half cannot hide them; one that it reads as 64 bits needs both.
struct WordTest {
  std::uint8_t word = 0;  ///< 2 * argument, + 1 for its high half
  std::uint32_t mask = 0xffffffff;
  std::uint32_t value = 0;
  bool equal = true;

  constexpr bool operator==(const WordTest&) const = default;
  [[nodiscard]] constexpr bool operator()(const seccomp_data& call) const noexcept {
    const auto whole = static_cast<std::uint64_t>(call.args[word / 2]);
    const auto half = static_cast<std::uint32_t>(word % 2 == 0 ? whole : whole >> 32U);
    return ((half & mask) == value) == equal;
  }
};

/// When a denial holds. A profile names what it grants; everything else stays denied.
enum class SeccompWhen : std::uint8_t {
  always,
  no_inet,          ///< no network at all
  stream_inet,      ///< of the network only TCP
  restricted_inet,  ///< either of both
  no_unix_socket,   ///< Unix sockets only as pairs
  shared_ipc,       ///< System V and POSIX queues of the host are in reach
  shared_pids,      ///< processes of the host are in reach
};

struct SeccompDenial {
  static constexpr std::size_t kMaxTests = 5;

  std::string_view call;
  SeccompRule rule = SeccompRule::unknown;
  int error = EPERM;
  /// Told to prx-init where the profile is observed. Never where healthy programs make the call as a matter
  /// of course (a look for nscd, a resolver's UDP socket, Go's MPTCP): a notified call can be interrupted by
  /// a signal, and they do not expect that.
  bool observed = true;
  SeccompWhen when = SeccompWhen::always;
  std::array<WordTest, kMaxTests> tests{};
  std::uint8_t test_count = 0;  ///< 0: whatever the arguments
  std::int16_t x86_64 = -1;
  std::int16_t aarch64 = -1;

  [[nodiscard]] constexpr int on(os::Architecture architecture) const noexcept {
    return architecture == os::Architecture::x86_64 ? x86_64 : aarch64;
  }
  [[nodiscard]] constexpr bool matches(const seccomp_data& data) const noexcept {
    for (std::size_t i = 0; i < test_count; ++i) {
      if (!tests[i](data)) return false;
    }
    return true;
  }
};

namespace seccomp_detail {

constexpr WordTest is(std::uint8_t argument, std::uint32_t value, std::uint32_t mask = 0xffffffff) {
  return {static_cast<std::uint8_t>(2 * argument), mask, value, true};
}
constexpr WordTest is_not(std::uint8_t argument, std::uint32_t value, std::uint32_t mask = 0xffffffff) {
  return {static_cast<std::uint8_t>(2 * argument), mask, value, false};
}
constexpr WordTest any_of(std::uint8_t argument, std::uint32_t bits) {
  return is_not(argument, 0, bits);
}
constexpr WordTest high_half_set(std::uint8_t argument) {
  return {static_cast<std::uint8_t>(2 * argument + 1), 0xffffffff, 0, false};
}

struct How {
  int error = EPERM;
  bool observed = true;
  SeccompWhen when = SeccompWhen::always;
};

template <class... Tests>
consteval SeccompDenial deny(std::string_view call, SeccompRule rule, How how, Tests... tests) {
  static_assert(sizeof...(tests) <= SeccompDenial::kMaxTests);
  const os::SyscallNumbers* numbers = os::find_syscall(call);
  return {call,
          rule,
          how.error,
          how.observed,
          how.when,
          {{tests...}},
          sizeof...(tests),
          numbers->x86_64,
          numbers->aarch64};
}
template <class... Tests>
consteval SeccompDenial deny(std::string_view call, SeccompRule rule, Tests... tests) {
  return deny(call, rule, How{}, tests...);
}

// Values of kernel headers that cannot be included here: they need libc, or are younger than the headers of
// machines that prx is built on.
inline constexpr std::uint32_t kNewNamespaces = 0x7e020000;  // CLONE_NEW*, but for NEWTIME
/// What unshare(2) can do without a new namespace: VM, FS, FILES, SIGHAND, THREAD, SYSVSEM.
inline constexpr std::uint32_t kUnshareOwn = 0x00050f00;
inline constexpr std::uint32_t kTiocsti = 0x5412;
inline constexpr std::uint32_t kTioclinux = 0x541c;
inline constexpr std::uint32_t kTioccons = 0x541d;
inline constexpr std::uint32_t kTiocsetd = 0x5423;
/// PER_LINUX32, UNAME26, ADDR_NO_RANDOMIZE, ADDR_COMPAT_LAYOUT, ADDR_LIMIT_3GB: what setarch, gdb and the
/// sanitizers set. Not READ_IMPLIES_EXEC and MMAP_PAGE_ZERO, which undo protections of what is executed.
inline constexpr std::uint32_t kPersonalities = 0x08260008;
inline constexpr std::uint32_t kPersonalityQuery = 0xffffffff;
inline constexpr std::uint32_t kAfUnix = 1;
inline constexpr std::uint32_t kAfInet = 2;
/// AF_INET (2) and AF_INET6 (10) differ in this bit.
inline constexpr std::uint32_t kInetMask = ~std::uint32_t{8};
inline constexpr std::uint32_t kAfNetlink = 16;
inline constexpr std::uint32_t kSocketTypeMask = 0xf;
inline constexpr std::uint32_t kSockPacket = 10;
inline constexpr std::uint32_t kSockStream = 1;
inline constexpr std::uint32_t kTcp = 6;  // the protocol, and the level of socket options
inline constexpr std::uint32_t kMsgFastOpen = 0x20000000;
inline constexpr std::uint32_t kTcpFastOpenConnect = 30;
inline constexpr std::uint32_t kTcpUlp = 31;

}  // namespace seccomp_detail

/// The first entry that matches decides.
inline constexpr auto kSeccompDenials = [] {
  using namespace seccomp_detail;
  using Rule = SeccompRule;
  using When = SeccompWhen;
  constexpr bool kQuiet = false;
  return std::to_array<SeccompDenial>({
      deny("add_key", Rule::keyring),
      deny("keyctl", Rule::keyring),
      deny("request_key", Rule::keyring),
      deny("bpf", Rule::bpf),
      deny("perf_event_open", Rule::perf),
      deny("userfaultfd", Rule::userfaultfd),
      deny("kexec_load", Rule::kexec),
      deny("kexec_file_load", Rule::kexec),
      deny("init_module", Rule::kernel_module),
      deny("finit_module", Rule::kernel_module),
      deny("delete_module", Rule::kernel_module),
      deny("syslog", Rule::kernel_log),

      deny("mount", Rule::mount),
      deny("umount2", Rule::mount),
      deny("pivot_root", Rule::mount),
      deny("open_tree", Rule::mount),
      deny("open_tree_attr", Rule::mount),
      deny("move_mount", Rule::mount),
      deny("mount_setattr", Rule::mount),
      deny("fsopen", Rule::mount),
      deny("fsconfig", Rule::mount),
      deny("fsmount", Rule::mount),
      deny("fspick", Rule::mount),
      deny("chroot", Rule::chroot),

      // The low byte of clone's flags is a signal, so NEWTIME cannot be asked for there. Whatever unshare may
      // learn to do in later kernels is not allowed by today's list.
      deny("clone", Rule::name_space, any_of(0, kNewNamespaces)),
      deny("unshare", Rule::name_space, any_of(0, ~kUnshareOwn)),
      deny("unshare", Rule::name_space, high_half_set(0)),
      deny("setns", Rule::name_space),

      // Opens by number what no path of the slot leads to.
      deny("open_by_handle_at", Rule::file_handle),
      deny("pidfd_getfd", Rule::process_fd),
      deny("prlimit64", Rule::process_limits, How{.when = When::shared_pids}, is_not(0, 0), is_not(2, 0)),
      deny("prlimit64", Rule::process_limits, How{.when = When::shared_pids}, is_not(0, 0), high_half_set(2)),
      deny("personality", Rule::personality, is_not(0, kPersonalityQuery), any_of(0, ~kPersonalities)),

      deny("ioctl", Rule::terminal_injection, is(1, kTiocsti)),
      deny("ioctl", Rule::terminal_injection, is(1, kTioclinux)),
      deny("ioctl", Rule::terminal_injection, is(1, kTioccons)),
      deny("ioctl", Rule::terminal_injection, is(1, kTiocsetd)),

      deny("iopl", Rule::hardware),
      deny("ioperm", Rule::hardware),
      deny("swapon", Rule::swap),
      deny("swapoff", Rule::swap),
      deny("reboot", Rule::reboot),
      deny("acct", Rule::accounting),
      deny("quotactl", Rule::quota),
      deny("quotactl_fd", Rule::quota),
      // adjtimex and clock_adjtime also read; to set, they need a capability that no slot has.
      deny("settimeofday", Rule::clock),
      deny("clock_settime", Rule::clock),
      deny("sethostname", Rule::host_name),
      deny("setdomainname", Rule::host_name),

      // The old way to a packet socket: the kernel takes this pair for AF_PACKET.
      deny("socket", Rule::socket_family, How{EAFNOSUPPORT}, is(0, kAfInet),
           is(1, kSockPacket, kSocketTypeMask)),
      deny("socket", Rule::network, How{EACCES, kQuiet, When::no_inet}, is(0, kAfInet, kInetMask)),
      deny("socket", Rule::socket_type, How{EACCES, kQuiet, When::stream_inet}, is(0, kAfInet, kInetMask),
           is_not(1, kSockStream, kSocketTypeMask)),
      deny("socket", Rule::socket_type, How{EPROTONOSUPPORT, kQuiet, When::stream_inet},
           is(0, kAfInet, kInetMask), is_not(2, 0), is_not(2, kTcp)),
      deny("socket", Rule::unix_socket, How{EACCES, kQuiet, When::no_unix_socket}, is(0, kAfUnix)),
      deny("socket", Rule::network, How{EACCES, kQuiet, When::restricted_inet}, is(0, kAfNetlink), is(2, 0)),
      // Sockets' owners (ss), SELinux and audit (su, useradd), device events (libudev), generic (ip, iw).
      deny("socket", Rule::netlink, How{EPROTONOSUPPORT, kQuiet}, is(0, kAfNetlink), is(2, 4)),
      deny("socket", Rule::netlink, How{EPROTONOSUPPORT, kQuiet}, is(0, kAfNetlink), is(2, 7)),
      deny("socket", Rule::netlink, How{EPROTONOSUPPORT, kQuiet}, is(0, kAfNetlink), is(2, 9)),
      deny("socket", Rule::netlink, How{EPROTONOSUPPORT, kQuiet}, is(0, kAfNetlink), is(2, 15)),
      deny("socket", Rule::netlink, How{EPROTONOSUPPORT, kQuiet}, is(0, kAfNetlink), is(2, 16)),
      deny("socket", Rule::netlink, How{EPROTONOSUPPORT}, is(0, kAfNetlink), is_not(2, 0)),
      deny("socket", Rule::socket_family, How{EAFNOSUPPORT}, is_not(0, kAfUnix),
           is_not(0, kAfInet, kInetMask), is_not(0, kAfNetlink)),
      deny("socketpair", Rule::socket_family, How{EAFNOSUPPORT}, is_not(0, kAfUnix)),

      // A connection that connect(2) does not see, and so nothing that looks at connect(2) does.
      deny("sendto", Rule::fast_open, How{EOPNOTSUPP, true, When::stream_inet}, any_of(3, kMsgFastOpen)),
      deny("sendmsg", Rule::fast_open, How{EOPNOTSUPP, true, When::stream_inet}, any_of(2, kMsgFastOpen)),
      deny("sendmmsg", Rule::fast_open, How{EOPNOTSUPP, true, When::stream_inet}, any_of(3, kMsgFastOpen)),
      deny("setsockopt", Rule::fast_open, How{EOPNOTSUPP, true, When::stream_inet}, is(1, kTcp),
           is(2, kTcpFastOpenConnect)),
      // Puts another protocol (SMC) in the place of TCP.
      deny("setsockopt", Rule::socket_option, How{ENOPROTOOPT, true, When::stream_inet}, is(1, kTcp),
           is(2, kTcpUlp)),

      // Identifiers can be used without a get, so every use is denied. PostgreSQL and fakeroot ask for these.
      deny("shmget", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("shmat", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("shmctl", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("msgget", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("msgsnd", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("msgrcv", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("msgctl", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("semget", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("semop", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("semtimedop", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("semctl", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("mq_open", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
      deny("mq_unlink", Rule::ipc, How{EACCES, kQuiet, When::shared_ipc}),
  });
}();

/// Calls of another architecture or of x32: their numbers mean something else.
inline constexpr int kForeignAbiError = ENOSYS;

struct DenialAnswer {
  SeccompRule rule = SeccompRule::unknown;
  int error = EPERM;
};

/// The rule and the errno for a call that the filter has notified: nothing else comes to a listener.
[[nodiscard]] constexpr DenialAnswer answer_denial(const seccomp_data& call,
                                                   os::Architecture own = os::kArchitecture) noexcept {
  const auto number = static_cast<std::uint32_t>(call.nr);
  if (call.arch != static_cast<std::uint32_t>(own) || (number < 0x80000000U && (number & os::kX32Bit) != 0)) {
    return {SeccompRule::foreign_abi, kForeignAbiError};
  }
  for (const SeccompDenial& denial : kSeccompDenials) {
    if (denial.observed && denial.on(own) == call.nr && denial.matches(call)) {
      return {denial.rule, denial.error};
    }
  }
  return {};
}

}  // namespace prx::protocol
