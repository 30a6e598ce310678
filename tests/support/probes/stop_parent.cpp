// stop_parent: stops its parent with SIGSTOP, prints the parent's pid and stays.
// Proves that a command cannot switch its supervisor off: where the supervisor is not protected from it,
// the host's backstop ends the execution.
#include <unistd.h>
#include <csignal>
#include <cstdio>

int main() {
  const pid_t parent = getppid();
  const int failed = kill(parent, SIGSTOP);
  std::printf("%s %d\n", failed == 0 ? "stopped" : "refused", static_cast<int>(parent));
  std::fflush(stdout);
  for (;;) pause();
}
