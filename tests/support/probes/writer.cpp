// writer MIB [FD [BYTE]]: writes MIB mebibytes of BYTE (default 'a') to FD (default 1), without a newline.
// Exits 1 when a write fails, so that a closed pipe is told from a finished run.
// Proves that output is counted, bounded and drained whatever its size.
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {
constexpr std::size_t kPiece = std::size_t{64} << 10U;
char piece[kPiece];

bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, bytes, size);
    if (written < 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}
}  // namespace

int main(int argc, char** argv) {
  const unsigned long mebibytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  const int fd = argc > 2 ? std::atoi(argv[2]) : STDOUT_FILENO;
  std::memset(piece, argc > 3 ? argv[3][0] : 'a', kPiece);
  const unsigned long pieces = mebibytes * ((1UL << 20U) / kPiece);
  for (unsigned long i = 0; i < pieces; ++i) {
    if (!write_all(fd, piece, kPiece)) return 1;
  }
  return 0;
}
