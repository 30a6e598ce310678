// setsid_child [exit]: starts a child in a session of its own that stays, prints the child's pid, and
// stays too, or with "exit" exits 0 at once.
// Proves that killing a process group or a session is not what ends a tree.
#include <unistd.h>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  int ready[2];
  if (pipe(ready) != 0) return 1;
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    if (setsid() < 0 || write(ready[1], "", 1) != 1) _exit(1);
    close(ready[0]);
    close(ready[1]);
    for (;;) pause();
  }
  char byte = 0;
  close(ready[1]);
  if (read(ready[0], &byte, 1) != 1) return 1;
  std::printf("%d\n", static_cast<int>(child));
  std::fflush(stdout);
  if (argc > 1 && std::strcmp(argv[1], "exit") == 0) return 0;
  for (;;) pause();
}
