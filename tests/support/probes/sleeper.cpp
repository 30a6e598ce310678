// sleeper [MILLISECONDS]: exits 0 after MILLISECONDS; without them it stays.
// Proves that a deadline ends what would not end by itself, and that waiting is not work.
#include <unistd.h>
#include <cstdlib>
#include <ctime>

int main(int argc, char** argv) {
  if (argc < 2) {
    for (;;) pause();
  }
  const long milliseconds = std::atol(argv[1]);
  timespec left{milliseconds / 1000, (milliseconds % 1000) * 1'000'000};
  while (nanosleep(&left, &left) != 0) {
  }
  return 0;
}
