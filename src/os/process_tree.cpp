#include "os/process_tree.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstddef>

#include "os/directory_entries.hpp"
#include "os/raw_clock.hpp"
#include "os/raw_syscall.hpp"

namespace prx::os {
namespace {

constexpr int kMaxDepth = 256;  // deeper descendants are reached once their parents are gone

/// A path below /proc, built without libc.
class ProcPath {
 public:
  ProcPath() { text("/proc/"); }
  ProcPath& text(const char* part) {
    while (*part != '\0' && at_ + 1 < sizeof(buffer_)) buffer_[at_++] = *part++;
    buffer_[at_] = '\0';
    return *this;
  }
  ProcPath& number(int value) {
    char digits[12];
    write_decimal(value, digits);
    return text(digits);
  }
  [[nodiscard]] const char* c_str() const { return buffer_; }

 private:
  char buffer_[80] = {};
  std::size_t at_ = 0;
};

int open_proc(const ProcPath& path, int extra_flags) {
  return static_cast<int>(
      raw_syscall(__NR_openat, AT_FDCWD, as_arg(path.c_str()), O_RDONLY | O_CLOEXEC | extra_flags));
}

void close_fd(int fd) {
  raw_syscall(__NR_close, fd);
}

/// Parent of `pid` as /proc tells it now; -1 when it is gone.
int parent_of(int pid) {
  const int fd = open_proc(ProcPath().number(pid).text("/stat"), 0);
  if (fd < 0) return -1;
  char buffer[256];
  const long size = raw_syscall(__NR_read, fd, as_arg(buffer), sizeof(buffer));
  close_fd(fd);
  // "pid (comm) state ppid …": the name may hold anything, so look for the last parenthesis.
  long at = size - 1;
  while (at > 0 && buffer[at] != ')') --at;
  at += 4;
  int parent = 0;
  for (; at < size && buffer[at] >= '0' && buffer[at] <= '9'; ++at) parent = parent * 10 + (buffer[at] - '0');
  return parent;
}

template <class F>
void parse_pids(int fd, F&& visit) {
  char buffer[512];
  int pid = 0;
  bool in_number = false;
  for (;;) {
    const long size = raw_syscall(__NR_read, fd, as_arg(buffer), sizeof(buffer));
    if (size <= 0) break;
    for (long i = 0; i < size; ++i) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        pid = pid * 10 + (buffer[i] - '0');
        in_number = true;
      } else if (in_number) {
        visit(pid);
        pid = 0;
        in_number = false;
      }
    }
  }
}

template <class F>
void for_each_thread(int pid, F&& visit) {
  const int directory = open_proc(ProcPath().number(pid).text("/task"), O_DIRECTORY);
  if (directory < 0) return;
  for_each_entry(directory, [&](const DirectoryEntry& entry) {
    if (const int thread = read_decimal(entry.name); thread > 0) visit(thread);
  });
  close_fd(directory);
}

/// Children belong to the thread that forked them.
template <class F>
void for_each_child(int pid, F&& visit) {
  for_each_thread(pid, [&](int thread) {
    const int fd = open_proc(ProcPath().number(pid).text("/task/").number(thread).text("/children"), 0);
    if (fd < 0) return;
    parse_pids(fd, visit);
    close_fd(fd);
  });
}

bool signal_if_child_of(int pid, int parent, int signal) {
  const auto pidfd = static_cast<int>(raw_syscall(__NR_pidfd_open, pid, 0));
  if (pidfd == -ENOSYS) {  // before Linux 5.3
    return parent_of(pid) == parent && raw_syscall(__NR_kill, pid, signal) == 0;
  }
  if (pidfd < 0) return false;
  const bool sent = parent_of(pid) == parent && raw_syscall(__NR_pidfd_send_signal, pidfd, signal, 0, 0) == 0;
  close_fd(pidfd);
  return sent;
}

std::uint32_t signal_below(int pid, int signal, int depth) {
  std::uint32_t count = 0;
  for_each_child(pid, [&](int child) {
    if (signal_if_child_of(child, pid, signal)) ++count;
    if (depth < kMaxDepth) count += signal_below(child, signal, depth + 1);
  });
  return count;
}

void visit_below(int pid, VisitProcess visit, void* context, int depth) {
  for_each_child(pid, [&](int child) {
    visit(child, context);
    if (depth < kMaxDepth) visit_below(child, visit, context, depth + 1);
  });
}

int own_pid() {
  return static_cast<int>(raw_syscall(__NR_getpid));
}

bool is_spared(const TreeFilter& filter, int pid) {
  return filter.spare != nullptr && filter.spare(pid, filter.context);
}

std::uint32_t count_unspared_children(const TreeFilter& filter) {
  std::uint32_t count = 0;
  for_each_child(own_pid(), [&](int child) { count += is_spared(filter, child) ? 0U : 1U; });
  return count;
}

/// Reaps what has ended. False when no child is left at all.
bool reap_ended(EndResult& result, OnReaped on_reaped, void* context) {
  for (;;) {
    int status = 0;
    const long pid = raw_syscall(__NR_wait4, -1, as_arg(&status), WNOHANG, 0);
    if (pid == 0) return true;
    if (pid < 0) return false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++result.killed;
    if (on_reaped != nullptr) on_reaped(static_cast<int>(pid), status, context);
  }
}

/// Returns when a child ends, at the latest after a millisecond: the killed need a moment on another
/// processor, and a spinning loop would take it from them.
void wait_for_next_death() {
  const std::uint64_t child_signal = 1ULL << (SIGCHLD - 1);
  const auto bound = to_timespec(kNsPerMs);
  raw_syscall(__NR_rt_sigtimedwait, as_arg(&child_signal), 0, as_arg(&bound), sizeof(child_signal));
}

}  // namespace

std::uint32_t signal_descendants(int signal, const TreeFilter& filter) noexcept {
  const int self = own_pid();
  std::uint32_t count = 0;
  for_each_child(self, [&](int child) {
    if (is_spared(filter, child)) return;
    // Only we reap our children, so this pid cannot be recycled.
    if (raw_syscall(__NR_kill, child, signal) == 0) ++count;
    count += signal_below(child, signal, 1);
  });
  return count;
}

void for_each_descendant(VisitProcess visit, void* context) noexcept {
  visit_below(own_pid(), visit, context, 0);
}

EndResult end_descendants(std::uint64_t bound_ns, const TreeFilter& filter, OnReaped on_reaped,
                          void* context) noexcept {
  EndResult result;
  const auto deadline = monotonic_ns() + bound_ns;
  for (;;) {
    result.done = !reap_ended(result, on_reaped, context) ||
                  (filter.spare != nullptr && count_unspared_children(filter) == 0);
    if (result.done) return result;
    if (monotonic_ns() > deadline) break;
    signal_descendants(SIGKILL, filter);
    result.done = !reap_ended(result, on_reaped, context);
    if (result.done) return result;
    wait_for_next_death();
  }
  result.alive = count_unspared_children(filter);
  // Children there are, or they would all have been reaped: without /proc they can only not be seen.
  if (result.alive == 0) result.alive = 1;
  return result;
}

}  // namespace prx::os
