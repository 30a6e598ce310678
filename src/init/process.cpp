#include "init/process.hpp"

#include <linux/prctl.h>
#include <sys/signalfd.h>

#include <csignal>

#include "init/sys.hpp"

namespace prx::init {
namespace {

constexpr std::uint64_t kChildSignal = 1ULL << (SIGCHLD - 1);
constexpr std::uint64_t kPipeSignal = 1ULL << (SIGPIPE - 1);  // a command may close its stdin at any time
constexpr int kLastSignal = 64;

struct KernelSigaction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  std::uint64_t mask;
};

void set_mask(std::uint64_t mask) {
  raw_syscall(__NR_rt_sigprocmask, SIG_SETMASK, as_arg(&mask), 0, sizeof(mask));
}

void reset_dispositions() {
  const KernelSigaction default_action{};
  for (int signal = 1; signal <= kLastSignal; ++signal) {
    raw_syscall(__NR_rt_sigaction, signal, as_arg(&default_action), 0, sizeof(default_action.mask));
  }
}

}  // namespace

int prepare_process() {
  set_mask(kChildSignal | kPipeSignal);
  reset_dispositions();
  raw_syscall(__NR_prctl, PR_SET_NAME, as_arg("prx-init"));
  raw_syscall(__NR_prctl, PR_SET_DUMPABLE, 0);
  prepare_forked_process();
  return static_cast<int>(raw_syscall(__NR_signalfd4, -1, as_arg(&kChildSignal), sizeof(kChildSignal),
                                      SFD_CLOEXEC | SFD_NONBLOCK));
}

void prepare_forked_process() {
  raw_syscall(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
}

void take_child_signal(int signal_fd) {
  signalfd_siginfo info;
  read_fd(signal_fd, &info, sizeof(info));
}

void unblock_all_signals() {
  set_mask(0);
}

}  // namespace prx::init
