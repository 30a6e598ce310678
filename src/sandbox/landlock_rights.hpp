#pragma once

#include <cstdint>

namespace prx::sandbox {

/// Sets of LANDLOCK_ACCESS_FS_* rights (linux/landlock.h; the newest by number, since headers lag).
struct LandlockRights {
  std::uint64_t all = 0;     ///< that the kernel knows, up to ABI 9
  std::uint64_t tree = 0;    ///< to work in a folder: all but devices
  std::uint64_t read = 0;    ///< files, folders, execution
  std::uint64_t device = 0;  ///< read, write and ioctl of a device
  std::uint64_t scoped = 0;  ///< abstract sockets and signals (ABI 6)
};

[[nodiscard]] LandlockRights landlock_rights(int abi);

}  // namespace prx::sandbox
