// noop [CODE]: exits with CODE at once.
// Proves that an exit status arrives unchanged, and is the least program a start can be measured with.
#include <cstdlib>

int main(int argc, char** argv) {
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
