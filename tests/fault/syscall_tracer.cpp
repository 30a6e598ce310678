#include "fault/syscall_tracer.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

// The marks of tests/fault/host.cpp.
constexpr std::uint64_t kBegin = 0x70727801;
constexpr std::uint64_t kEnd = 0x70727802;

constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                          PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

/// Calls that cannot fail as they are used here on a working kernel (a clock, reaping a child, a switch of an
/// open descriptor), or whose failure means another thing than "it did not work": a lock of the C library
/// aborts the process, a close that fails has closed all the same, brk answers with where the heap ends.
bool cannot_fail(std::uint64_t call) {
  static const std::set<std::uint64_t> calls{SYS_exit,
                                             SYS_exit_group,
                                             SYS_rt_sigreturn,
                                             SYS_futex,
                                             SYS_close,
                                             SYS_munmap,
                                             SYS_getpid,
                                             SYS_gettid,
                                             SYS_getuid,
                                             SYS_geteuid,
                                             SYS_getgid,
                                             SYS_getegid,
                                             SYS_restart_syscall,
                                             SYS_rt_sigprocmask,
                                             SYS_clock_gettime,
                                             SYS_brk,
                                             SYS_wait4,
                                             SYS_waitid,
                                             SYS_ioctl,
                                             SYS_rseq,
                                             SYS_set_robust_list};
  return calls.contains(call);
}

long trace(int request, pid_t pid, void* address, long data) {
  return ptrace(static_cast<__ptrace_request>(request), pid, address, reinterpret_cast<void*>(data));
}

#if defined(__x86_64__)
void skip_call(pid_t pid) {
  user_regs_struct registers{};
  trace(PTRACE_GETREGS, pid, nullptr, reinterpret_cast<long>(&registers));
  registers.orig_rax = ~0ULL;
  trace(PTRACE_SETREGS, pid, nullptr, reinterpret_cast<long>(&registers));
}
void set_result(pid_t pid, long result) {
  user_regs_struct registers{};
  trace(PTRACE_GETREGS, pid, nullptr, reinterpret_cast<long>(&registers));
  registers.rax = static_cast<unsigned long long>(result);
  trace(PTRACE_SETREGS, pid, nullptr, reinterpret_cast<long>(&registers));
}
constexpr bool kKnownProcessor = true;
#else
void skip_call(pid_t) {}
void set_result(pid_t, long) {}
constexpr bool kKnownProcessor = false;
#endif

std::string name_of(pid_t pid) {
  auto name = read_file("/proc/" + std::to_string(pid) + "/comm");
  if (!name.empty()) name.pop_back();
  return name;
}

/// Asio registers the descriptors that wake its own loop without a look at the result: without memory for
/// that one registration its thread never hears of anything again.
bool is_wake_up(pid_t pid, std::uint64_t fd) {
  std::array<char, 64> target{};
  const auto link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
  if (readlink(link.c_str(), target.data(), target.size() - 1) < 0) return false;
  const std::string_view name(target.data());
  return name == "anon_inode:[eventfd]" || name == "anon_inode:[timerfd]";
}

/// An alarm that interrupts waitpid().
class Alarm {
 public:
  explicit Alarm(std::chrono::seconds deadline) {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, &before_);
    const itimerval timer{{0, 50'000},
                          {deadline.count(), 0}};  // again and again, should it come at a bad moment
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  ~Alarm() {
    const itimerval none{};
    setitimer(ITIMER_REAL, &none, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  struct sigaction before_{};
};

class Tracer {
 public:
  Tracer(const SyscallFault& fault, TracedRun& run) : fault_(fault), run_(run) {}

  pid_t launch(const std::vector<std::string>& argv, int out) {
    std::vector<char*> arguments;
    for (const auto& text : argv) arguments.push_back(const_cast<char*>(text.c_str()));
    arguments.push_back(nullptr);
    program_ = fork();
    if (program_ == 0) {
      dup2(out, STDOUT_FILENO);
      trace(PTRACE_TRACEME, 0, nullptr, 0);
      raise(SIGSTOP);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    int status = 0;
    waitpid(program_, &status, 0);
    trace(PTRACE_SETOPTIONS, program_, nullptr, kOptions);
    tracees_[program_] = {};
    trace(PTRACE_SYSCALL, program_, nullptr, 0);
    return program_;
  }

  void serve(std::chrono::seconds deadline) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    const Alarm alarm(deadline);
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid > 0) {
        take(pid, status);
      } else if (errno == ECHILD) {
        return;
      }
      if (std::chrono::steady_clock::now() >= end) return give_up();
    }
  }

 private:
  struct Tracee {
    bool in_call = false;
    bool failing = false;
    bool is_command = false;
    bool known = false;
  };

  void take(pid_t pid, int status) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid == program_) run_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      tracees_.erase(pid);
      return;
    }
    auto& tracee = tracees_[pid];
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    long deliver = 0;
    if (signal == (SIGTRAP | 0x80)) {
      at_call(pid, tracee);
    } else if (event == PTRACE_EVENT_EXEC) {
      tracee.is_command = name_of(pid) == fault_.command;
    } else if (event == 0 && signal == SIGSTOP && !tracee.known && pid != program_) {
      // How a new tracee says hello.
    } else if (event == 0 && signal != SIGTRAP) {
      deliver = signal;
    }
    tracee.known = true;
    trace(PTRACE_SYSCALL, pid, nullptr, deliver);
  }

  void at_call(pid_t pid, Tracee& tracee) {
    __ptrace_syscall_info info{};
    if (trace(PTRACE_GET_SYSCALL_INFO, pid, reinterpret_cast<void*>(sizeof(info)),
              reinterpret_cast<long>(&info)) < 0)
      return;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      at_entry(pid, tracee, info.entry.nr, info.entry.args);
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && tracee.failing) {
      tracee.failing = false;
      set_result(pid, -fault_.error);
    }
  }

  void at_entry(pid_t pid, Tracee& tracee, std::uint64_t call, const std::uint64_t* arguments) {
    if (call == SYS_prctl && arguments[0] == kBegin) counting_ = true;
    if (call == SYS_prctl && arguments[0] == kEnd) counting_ = false;
    if (!counting_ || tracee.is_command || cannot_fail(call) || (call == SYS_prctl && arguments[0] == kBegin))
      return;
    // A change of what is watched already takes no memory: the kernel cannot fail it, and Asio does not look.
    if (call == SYS_epoll_ctl && (arguments[1] == EPOLL_CTL_MOD || is_wake_up(pid, arguments[2]))) return;
    if (++run_.calls != fault_.number) return;
    run_.failed = "call " + std::to_string(call) + " of " + name_of(pid);
    tracee.failing = true;
    skip_call(pid);
  }

  void give_up() {
    run_.hung = true;
    for (const auto& [pid, tracee] : tracees_) {
      run_.hung_in += name_of(pid) + " in " + read_file("/proc/" + std::to_string(pid) + "/syscall");
      kill(pid, SIGKILL);
    }
    int status = 0;
    while (waitpid(-1, &status, __WALL) > 0 || errno == EINTR) {
    }
  }

  const SyscallFault& fault_;
  TracedRun& run_;
  pid_t program_ = -1;
  bool counting_ = false;
  std::map<pid_t, Tracee> tracees_;
};

}  // namespace

bool can_trace() {
  if (!kKnownProcessor) return false;
  const pid_t child = fork();
  if (child == 0) _exit(trace(PTRACE_TRACEME, 0, nullptr, 0) == 0 ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TracedRun run_traced(const std::vector<std::string>& argv, const SyscallFault& fault,
                     std::chrono::seconds deadline) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  TracedRun run;
  Tracer tracer(fault, run);
  tracer.launch(argv, pipe_ends[1]);
  close(pipe_ends[1]);
  tracer.serve(deadline);
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = read(pipe_ends[0], piece.data(), piece.size())) > 0;) {
    run.out.append(piece.data(), static_cast<std::size_t>(size));
  }
  close(pipe_ends[0]);
  return run;
}

}  // namespace prx::test
