#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include <fmt/format.h>

#include "base/errno_text.hpp"
#include "base/fd.hpp"
#include "cli/probe.hpp"

namespace prx::cli {
namespace {

constexpr long kUsableLandlock = 6;  // the first that confines signals and abstract sockets

/// Whether the file holds exactly this number; false where it does not exist.
bool sysctl_is(const char* path, char digit) {
  const base::Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::array<char, 3> text{};
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  return size >= 1 && text[0] == digit && (size == 1 || text[1] == '\n');
}

/// An executable copy of this program in memory, as prx-init is run from one; none and errno on failure.
base::Fd program_in_memory() {
  base::Fd memory(::memfd_create("prx-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.is_open()) return {};
  const base::Fd program(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  struct stat info{};
  if (!program.is_open() || ::fstat(program.get(), &info) != 0) return {};
  for (auto left = static_cast<std::size_t>(info.st_size); left > 0;) {
    const ssize_t copied = ::sendfile(memory.get(), program.get(), nullptr, left);
    if (copied <= 0) return {};
    left -= static_cast<std::size_t>(copied);
  }
  ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
  return memory;
}

/// Runs the program behind `fd` with --version; its wait status, or 127 << 8 where it did not start.
int run_from_memory(int fd) {
  const pid_t child = ::fork();
  if (child == 0) {
    const base::Fd null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (null.is_open()) ::dup2(null.get(), STDOUT_FILENO);
    std::array<char, 4> name{"prx"};
    std::array<char, 10> option{"--version"};
    std::array<char*, 3> argv{name.data(), option.data(), nullptr};
    std::array<char*, 1> envp{nullptr};
    ::syscall(SYS_execveat, fd, "", argv.data(), envp.data(), AT_EMPTY_PATH);
    ::_exit(127);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

std::string userns_remedy() {
  if (sysctl_is("/proc/sys/kernel/unprivileged_userns_clone", '0')) {
    return "sysctl kernel.unprivileged_userns_clone=1";
  }
  if (sysctl_is("/proc/sys/user/max_user_namespaces", '0')) return "sysctl user.max_user_namespaces=10000";
  if (sysctl_is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1')) {
    return "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile that allows userns";
  }
  return "in a container, its seccomp profile has to allow unshare and mount";
}

}  // namespace

Check probe_kernel() {
  utsname name{};
  ::uname(&name);
  const std::string found = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
  const base::Fd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (self.is_open()) return Check::good(found);
  return Check::missing(found + ", without pidfd_open: " + base::errno_text(errno),
                        "prx needs Linux 5.4 or later");
}

Check probe_memfd() {
  const base::Fd program = program_in_memory();
  const std::string remedy = "set sysctl vm.memfd_noexec=0; without it prx uses its installed prx-init";
  if (!program.is_open()) return Check::limited("memfd_create: " + base::errno_text(errno), remedy);
  if (run_from_memory(program.get()) == 0) return Check::good("programs run from memory");
  return Check::limited("a program in memory cannot be executed", remedy);
}

Check probe_user_namespaces() {
  // prx is not dumpable, which makes its /proc files root's.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    return Check::limited("unshare: " + base::errno_text(errno), userns_remedy());
  }
  // Some systems allow the namespace and take away what it is good for.
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return Check::limited("made, but mount in it: " + base::errno_text(errno), userns_remedy());
  }
  return Check::good("made, with mounts of its own");
}

Check probe_landlock() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0,
                             static_cast<unsigned>(LANDLOCK_CREATE_RULESET_VERSION));
  if (abi >= kUsableLandlock) return Check::good(fmt::format("ABI {}", abi));
  if (abi > 0)
    return Check::limited(fmt::format("ABI {}", abi), "ABI 6 (Linux 6.12) also confines signals and sockets");
  if (errno == EOPNOTSUPP) {
    return Check::limited("built in, not enabled",
                          "add landlock to the lsm= list of the kernel command line");
  }
  return Check::limited(base::errno_text(errno), "needs Linux 5.13 with CONFIG_SECURITY_LANDLOCK");
}

Check probe_seccomp() {
  unsigned action = SECCOMP_RET_USER_NOTIF;
  if (::syscall(SYS_seccomp, static_cast<unsigned>(SECCOMP_GET_ACTION_AVAIL), 0U, &action) == 0) {
    return Check::good("filters with notification");
  }
  const int notify_error = errno;
  action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, static_cast<unsigned>(SECCOMP_GET_ACTION_AVAIL), 0U, &action) == 0) {
    return Check::limited("filters without notification: " + base::errno_text(notify_error),
                          "denials are not counted; needs Linux 5.0");
  }
  return Check::limited("no filters: " + base::errno_text(errno), "needs CONFIG_SECCOMP_FILTER");
}

}  // namespace prx::cli
