// chain N: N chains of processes, in each of which every process forks the next one and exits, for ever;
// the first process prints "ready" and stays.
// Proves that a tree is ended although its members are never the ones just listed: killing by a list of
// pids loses this race, freezing, cgroup.kill or the end of a pid namespace does not.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {
// A short life keeps two cores able to do anything else; it is still far shorter than a walk of /proc.
constexpr timespec kLife{0, 200'000};

[[noreturn]] void respawn_for_ever() {
  for (;;) {
    const pid_t next = fork();
    if (next > 0) _exit(0);
    nanosleep(&kLife, nullptr);  // also the pause before another try when fork found no room
  }
}
}  // namespace

int main(int argc, char** argv) {
  const int chains = argc > 1 ? std::atoi(argv[1]) : 1;
  std::signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < chains; ++i) {
    const pid_t first = fork();
    if (first < 0) return 1;
    if (first == 0) respawn_for_ever();
  }
  std::puts("ready");
  std::fflush(stdout);
  for (;;) pause();
}
