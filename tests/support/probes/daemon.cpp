// daemon: becomes a daemon by the book (fork, setsid, fork, descriptors to /dev/null) and stays; the
// first process prints the daemon's pid and exits 0.
// Proves that an orphan with no descriptor, no parent and no session in common is still found.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace {
[[noreturn]] void be_the_daemon(int report) {
  const int pid = static_cast<int>(getpid());
  const int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
  if (null > 2) close(null);
  if (write(report, &pid, sizeof pid) != static_cast<ssize_t>(sizeof pid)) _exit(1);
  close(report);
  for (;;) pause();
}
}  // namespace

int main() {
  int report[2];
  if (pipe(report) != 0) return 1;
  const pid_t middle = fork();
  if (middle < 0) return 1;
  if (middle == 0) {
    close(report[0]);
    setsid();
    const pid_t last = fork();
    if (last == 0) be_the_daemon(report[1]);
    _exit(last < 0 ? 1 : 0);
  }
  close(report[1]);
  int pid = 0;
  if (read(report[0], &pid, sizeof pid) != static_cast<ssize_t>(sizeof pid)) return 1;
  waitpid(middle, nullptr, 0);
  std::printf("%d\n", pid);
  return 0;
}
