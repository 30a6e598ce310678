#include "init/tree.hpp"

#include <sys/wait.h>

#include <csignal>

#include "init/process.hpp"
#include "init/sys.hpp"
#include "os/directory_entries.hpp"
#include "os/raw_clock.hpp"

namespace prx::init {

ProcessTree::ProcessTree(bool own_namespace) : namespace_(own_namespace && own_pid() == 1) {}

std::uint32_t ProcessTree::signal(int signal) const {
  if (!namespace_) return os::signal_descendants(signal);
  return raw_syscall(__NR_kill, -1, signal) < 0 ? 0 : 1;
}

void ProcessTree::for_each(os::VisitProcess visit, void* context) const {
  if (!namespace_) return os::for_each_descendant(visit, context);
  // All that its procfs shows, so that a process which changes its parent meanwhile is not missed.
  const long directory = open_path("/proc", O_RDONLY | O_DIRECTORY);
  if (directory < 0) return;
  os::for_each_entry(static_cast<int>(directory), [&](const os::DirectoryEntry& entry) {
    if (const int pid = os::read_decimal(entry.name); pid > 1) visit(pid, context);
  });
  close_fd(static_cast<int>(directory));
}

os::EndResult ProcessTree::end(std::uint64_t bound_ns, int signal_fd, os::OnReaped on_reaped,
                               void* context) const {
  if (!namespace_) return os::end_descendants(bound_ns, {}, on_reaped, context);
  const auto deadline = os::monotonic_ns() + bound_ns;
  os::EndResult result;
  raw_syscall(__NR_kill, -1, SIGKILL);
  for (;;) {
    int status = 0;
    const long pid = raw_syscall(__NR_wait4, -1, as_arg(&status), WNOHANG | 0x40000000, 0);  // __WALL
    if (pid < 0) {
      result.done = true;
      return result;
    }
    if (pid > 0) {
      ++result.killed;
      on_reaped(static_cast<int>(pid), status, context);
      continue;
    }
    const auto now = os::monotonic_ns();
    if (now >= deadline) break;
    pollfd fds[] = {{signal_fd, POLLIN, 0}};
    const auto left = os::to_timespec(deadline - now);
    poll_fds(fds, &left);
    take_child_signal(signal_fd);
  }
  result.alive = 1;  // at least: what does not even die of SIGKILL cannot be counted from here
  return result;
}

}  // namespace prx::init
