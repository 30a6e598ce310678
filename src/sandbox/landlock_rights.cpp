#include "sandbox/landlock_rights.hpp"

#include <linux/landlock.h>

namespace prx::sandbox {
namespace {
constexpr std::uint64_t kFirstVersion = (1ULL << 13U) - 1;
constexpr std::uint64_t kRefer = 1ULL << 13U;
constexpr std::uint64_t kTruncate = 1ULL << 14U;
constexpr std::uint64_t kIoctlDevice = 1ULL << 15U;
constexpr std::uint64_t kResolveUnix = 1ULL << 16U;
constexpr std::uint64_t kScopes = 3;  // abstract sockets, signals
}  // namespace

LandlockRights landlock_rights(int abi) {
  LandlockRights rights;
  if (abi < 1) return rights;
  rights.all = kFirstVersion;
  if (abi >= 2) rights.all |= kRefer;
  if (abi >= 3) rights.all |= kTruncate;
  if (abi >= 5) rights.all |= kIoctlDevice;
  if (abi >= 9) rights.all |= kResolveUnix;
  rights.tree = rights.all & ~(kIoctlDevice | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK);
  rights.read = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  rights.device = (rights.read | LANDLOCK_ACCESS_FS_WRITE_FILE | kIoctlDevice | kTruncate) & rights.all;
  if (abi >= 6) rights.scoped = kScopes;
  return rights;
}

}  // namespace prx::sandbox
