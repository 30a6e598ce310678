// ignore_term: ignores every signal that can be ignored, prints "ready" and stays.
// Proves that the grace ends with SIGKILL, and that what was printed before it is kept.
#include <unistd.h>
#include <csignal>
#include <cstdio>

int main() {
  for (int signal = 1; signal < 32; ++signal) std::signal(signal, SIG_IGN);
  std::puts("ready");
  std::fflush(stdout);
  for (;;) pause();
}
