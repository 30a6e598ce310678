#include "init/expected.hpp"

#include <linux/stat.h>

#include "init/sys.hpp"

namespace prx::init {
namespace {

/// As the C library's makedev(): what a host's stat() says.
std::uint64_t device_of(const struct statx& found) {
  const std::uint64_t major = found.stx_dev_major;
  const std::uint64_t minor = found.stx_dev_minor;
  return (minor & 0xffU) | (major & 0xfffU) << 8U | (minor & ~0xffULL) << 12U | (major & ~0xfffULL) << 32U;
}

int check(const protocol::ExpectedFile& file) {
  struct statx found {};
  const long error = raw_syscall(__NR_statx, AT_FDCWD, as_arg(file.path.data()), AT_SYMLINK_NOFOLLOW,
                                 STATX_INO, as_arg(&found));
  if (error < 0) return static_cast<int>(-error);
  return device_of(found) == file.device && found.stx_ino == file.inode ? 0 : ESTALE;
}

}  // namespace

Unexpected find_unexpected(const protocol::ExpectedFiles& expected) {
  Unexpected result;
  expected.for_each([&result](const protocol::ExpectedFile& file) {
    if (const int error = check(file); error != 0) result = {error, file.path};
    return result.error == 0;
  });
  return result;
}

}  // namespace prx::init
