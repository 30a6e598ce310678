#include "os/launch.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include "os/pipe.hpp"
#include "os/raw_syscall.hpp"
#include "os/signal_mask.hpp"

/// clone() by the C library's other name. The thread sanitizer puts itself between a caller and clone(),
/// takes the child for one with memory of its own, and marks the memory, which is ours too, as that of a
/// forked child: from then on it sees no lock and no join in this process.
extern "C" int __clone(int (*child)(void*), void* stack, int flags, void* argument, ...) noexcept;

namespace prx::os {
namespace {

constexpr int kFirstFd = 3;
constexpr std::size_t kFds = std::tuple_size_v<decltype(LaunchPlan::descriptors)>;
constexpr int kFirstClosedFd = kFirstFd + static_cast<int>(kFds);
constexpr std::size_t kChildStack = 32U << 10U;

/// Everything the child needs, complete before the clone.
struct ChildPlan {
  LaunchPlan launch;
  std::array<const char*, 3> argv{};
  std::array<const char*, 1> envp{};
  long open_files = 0;
  // Written by the child.
  int error = 0;
  bool null_missing = false;
};

/// The sources may stand where the targets go: move them out of the way first.
PRX_NO_SANITIZE long place_descriptors(const LaunchPlan& plan, bool& null_missing) {
  long sources[kFds];
  for (std::size_t i = 0; i < kFds; ++i) {
    const int fd = plan.descriptors.data()[i];  // no call of the library's
    sources[i] = fd < 0 ? -1 : raw_syscall(__NR_fcntl, fd, F_DUPFD_CLOEXEC, kFirstClosedFd);
    if (fd >= 0 && sources[i] < 0) return sources[i];
  }
  const long null = raw_syscall(__NR_openat, AT_FDCWD, as_arg("/dev/null"), O_RDWR | O_CLOEXEC);
  if (null < 0) {
    null_missing = true;
    return null;
  }
  for (int fd = 0; fd < kFirstFd; ++fd) {
    if (null != fd) raw_syscall(__NR_dup3, null, fd, 0);
  }
  if (null < kFirstFd) raw_syscall(__NR_fcntl, null, F_SETFD, 0);
  for (std::size_t i = 0; i < kFds; ++i) {
    const int target = kFirstFd + static_cast<int>(i);
    const long placed =
        sources[i] < 0 ? raw_syscall(__NR_close, target) : raw_syscall(__NR_dup3, sources[i], target, 0);
    if (sources[i] >= 0 && placed < 0) return placed;
  }
  return 0;
}

/// Close-on-exec instead of closing, since the image is among them.
PRX_NO_SANITIZE void close_others_on_exec(long open_files) {
  if (raw_syscall(__NR_close_range, kFirstClosedFd, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  // Before Linux 5.11.
  for (long fd = kFirstClosedFd; fd < open_files; ++fd) raw_syscall(__NR_fcntl, fd, F_SETFD, FD_CLOEXEC);
}

/// Runs in the caller's memory while the caller waits: system calls only.
PRX_NO_SANITIZE int run_child(void* argument) {
  auto* plan = static_cast<ChildPlan*>(argument);
  // Out of the way of what follows; one that stands where another goes would be overwritten.
  const long image = raw_syscall(__NR_fcntl, plan->launch.image, F_DUPFD_CLOEXEC, kFirstClosedFd);
  long result = image < 0 ? image : place_descriptors(plan->launch, plan->null_missing);
  if (result >= 0) {
    close_others_on_exec(plan->open_files);
    result = raw_syscall(__NR_execveat, image, as_arg(""), as_arg(plan->argv.data()),
                         as_arg(plan->envp.data()), AT_EMPTY_PATH);
  }
  plan->error = static_cast<int>(-result);
  raw_syscall(__NR_exit_group, 1);
  return 1;
}

long open_file_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<long>(limit.rlim_cur) : 65'536;
}

Error start_error(const ChildPlan& child) {
  if (child.null_missing) {
    auto error = system_error("open", child.error);
    error.subject = "/dev/null";
    if (error.hint.empty()) error.hint = "every program needs it: mount a /dev that has it";
    return error;
  }
  if (child.error == EACCES || child.error == EPERM) {
    return {
        ErrorKind::denied, "exec", child.launch.name, child.error, "this system forbids executing it", {}};
  }
  auto error = system_error("exec", child.error);
  error.subject = child.launch.name;
  return error;
}

}  // namespace

Result<Launched> launch(const LaunchPlan& plan) {
  ChildPlan child{plan, {plan.name, plan.role, nullptr}, {nullptr}, open_file_limit(), 0};
  alignas(16) std::array<std::byte, kChildStack> stack;
  int pidfd = -1;
  int pid = -1;
  int clone_error = 0;
  {
    // While the child shares our memory, a handler of the host must not run in it.
    const AllSignalsBlocked guard;
    pid = ::__clone(run_child, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD,
                    &child, &pidfd);
    clone_error = errno;
  }
  if (pid < 0) return system_error("clone", clone_error);
  Launched launched{pid, base::Fd(pidfd)};
  if (child.error != 0) {
    reap(launched.pidfd);
    return start_error(child);
  }
  return launched;
}

Result<base::Fd> open_own_pidfd() {
  const auto fd = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (fd >= 0) return base::Fd(fd);
  if (errno == ENOSYS) {
    return Error{ErrorKind::unavailable,        "pidfd_open", {}, errno, "the kernel is too old",
                 "prx needs Linux 5.3 or newer"};
  }
  return system_error("pidfd_open", errno);
}

int reap(const base::Fd& pidfd) noexcept {
  siginfo_t info{};
  while (::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd.get()), &info, WEXITED) != 0 &&
         errno == EINTR) {
  }
  return info.si_code == CLD_EXITED ? info.si_status : 0;
}

}  // namespace prx::os
