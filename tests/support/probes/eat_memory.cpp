// eat_memory MIB [stay]: takes and touches MIB mebibytes, one at a time, then prints "ate MIB" and exits
// 0, or with "stay" stays. Exits 1 with "refused at N" when an allocation is refused.
// Proves a memory limit from both sides: just under it works, just over it does not.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
  const long mebibytes = argc > 1 ? std::atol(argv[1]) : 1;
  for (long i = 0; i < mebibytes; ++i) {
    void* const memory = mmap(nullptr, kMebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      std::printf("refused at %ld\n", i);
      return 1;
    }
    std::memset(memory, 1, kMebibyte);
  }
  std::printf("ate %ld\n", mebibytes);
  std::fflush(stdout);
  if (argc > 2) {
    for (;;) pause();
  }
  return 0;
}
