#include "sandbox/seccomp_profile.hpp"

#include <linux/seccomp.h>

#include <cerrno>

namespace prx::sandbox {
namespace {

using protocol::SeccompDenial;
using protocol::SeccompWhen;

constexpr std::uint32_t errno_action(int error) {
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
}

std::uint32_t action_of(int error, bool observed, const SeccompOptions& options) {
  return observed && options.observe ? std::uint32_t{SECCOMP_RET_USER_NOTIF} : errno_action(error);
}

void allow(SeccompTable& table, std::string_view name) {
  const int number = os::find_syscall(name)->on(table.architecture);
  if (number >= 0) table.calls[static_cast<std::uint32_t>(number)].action = SECCOMP_RET_ALLOW;
}

void deny(SeccompTable& table, const SeccompDenial& denial, const SeccompOptions& options) {
  const int number = denial.on(table.architecture);
  if (number < 0) return;
  CallVerdict& verdict = table.calls[static_cast<std::uint32_t>(number)];
  const std::uint32_t action = action_of(denial.error, denial.observed, options);
  if (denial.test_count == 0) {
    verdict = {{}, action};
    return;
  }
  verdict.rules.push_back({{denial.tests.begin(), denial.tests.begin() + denial.test_count}, action});
}

}  // namespace

bool holds(const SeccompDenial& denial, const SeccompOptions& options) noexcept {
  using Inet = SeccompOptions::Inet;
  switch (denial.when) {
    case SeccompWhen::always:
      return true;
    case SeccompWhen::no_inet:
      return options.inet == Inet::none;
    case SeccompWhen::stream_inet:
      return options.inet == Inet::streams;
    case SeccompWhen::restricted_inet:
      return options.inet != Inet::all;
    case SeccompWhen::no_unix_socket:
      return options.unix_sockets == SeccompOptions::Unix::pairs;
    case SeccompWhen::shared_ipc:
      return !options.own_ipc;
    case SeccompWhen::shared_pids:
      return !options.own_pids;
  }
  return true;
}

SeccompTable seccomp_table(const SeccompOptions& options) {
  SeccompTable table;
  table.architecture = options.architecture;
  table.unlisted = errno_action(ENOSYS);
  table.foreign = action_of(protocol::kForeignAbiError, true, options);
  for (const std::string_view name : allowed_calls()) allow(table, name);
  for (const SeccompDenial& denial : protocol::kSeccompDenials) {
    if (holds(denial, options)) deny(table, denial, options);
  }
  return table;
}

SeccompProgram seccomp_program(const SeccompOptions& options) {
  return {assemble(seccomp_table(options)), options.observe};
}

std::string_view describe(protocol::SeccompRule rule) noexcept {
  using Rule = protocol::SeccompRule;
  switch (rule) {
    case Rule::foreign_abi:
      return "system calls of another architecture (32-bit programs)";
    case Rule::keyring:
      return "the kernel's key storage";
    case Rule::bpf:
      return "programs in the kernel (bpf)";
    case Rule::perf:
      return "the kernel's performance counters";
    case Rule::userfaultfd:
      return "answering page faults (userfaultfd)";
    case Rule::kexec:
      return "starting another kernel";
    case Rule::kernel_module:
      return "kernel modules";
    case Rule::kernel_log:
      return "the kernel's log (dmesg)";
    case Rule::mount:
      return "mounting file systems";
    case Rule::chroot:
      return "changing the root directory";
    case Rule::name_space:
      return "making or entering namespaces (unshare, nested sandboxes)";
    case Rule::file_handle:
      return "opening files by handle";
    case Rule::process_fd:
      return "taking descriptors from other processes";
    case Rule::process_limits:
      return "changing limits of other processes";
    case Rule::personality:
      return "an execution domain that weakens memory protection";
    case Rule::terminal_injection:
      return "writing into the terminal's input, or changing what drives it";
    case Rule::hardware:
      return "input and output ports";
    case Rule::swap:
      return "swap space";
    case Rule::reboot:
      return "rebooting";
    case Rule::accounting:
      return "process accounting";
    case Rule::quota:
      return "disk quotas";
    case Rule::clock:
      return "setting the clock";
    case Rule::host_name:
      return "setting the host name";
    case Rule::network:
      return "network sockets";
    case Rule::unix_socket:
      return "Unix sockets, other than pairs";
    case Rule::socket_family:
      return "sockets of a family other than Unix and internet";
    case Rule::socket_type:
      return "internet sockets other than TCP";
    case Rule::netlink:
      return "netlink sockets other than of routing";
    case Rule::fast_open:
      return "TCP Fast Open";
    case Rule::socket_option:
      return "replacing the protocol of a TCP socket";
    case Rule::ipc:
      return "System V and POSIX message queues, shared memory and semaphores of the host";
    case Rule::unknown:
      break;
  }
  return "a system call";
}

}  // namespace prx::sandbox
