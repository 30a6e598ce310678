// writer BYTES: writes that many bytes to stdout, 64 KiB at a time.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace {
constexpr std::size_t kBlock = 64U << 10U;
char block[kBlock];
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::memset(block, 'x', sizeof(block));
  for (auto left = std::strtoull(argv[1], nullptr, 10); left > 0;) {
    const auto written = ::write(STDOUT_FILENO, block, std::min<unsigned long long>(left, kBlock));
    if (written <= 0) return 1;
    left -= static_cast<unsigned long long>(written);
  }
  return 0;
}
