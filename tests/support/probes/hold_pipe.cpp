// hold_pipe [SECONDS]: leaves a child behind that holds stdout and stderr open for SECONDS (default: for
// ever); the first process prints the child's pid and exits 0 at once.
// Proves that the end of an execution is the end of its main process, not the end of its pipes.
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    if (argc > 1) {
      sleep(static_cast<unsigned>(std::atoi(argv[1])));
      _exit(0);
    }
    for (;;) pause();
  }
  std::printf("%d\n", static_cast<int>(child));
  return 0;
}
