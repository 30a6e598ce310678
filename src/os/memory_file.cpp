#include "os/memory_file.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "os/pipe.hpp"
#include "os/signal_mask.hpp"

namespace prx::os {
namespace {

#ifndef MFD_EXEC
#define MFD_NOEXEC_SEAL 0x0008U  // Linux 6.3
#define MFD_EXEC 0x0010U
#endif

int create(const char* name, Executable executable) {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const unsigned wanted = executable == Executable::yes ? MFD_EXEC : MFD_NOEXEC_SEAL;
  const auto fd = static_cast<int>(::syscall(SYS_memfd_create, name, kFlags | wanted));
  if (fd >= 0 || errno != EINVAL) return fd;
  return static_cast<int>(::syscall(SYS_memfd_create, name, kFlags));
}

/// A limit of file sizes (ulimit -f) counts for files in memory, too: one more way in which a system forbids
/// them.
Error unwritten_error(const char* name, int error_number) {
  if (error_number != EFBIG) return system_error("memfd_create", error_number);
  return {
      ErrorKind::denied, "memfd_create", name, EFBIG, "the limit of file sizes leaves no room for it", {}};
}

}  // namespace

Result<base::Fd> open_memory_file(const char* name, std::string_view content, Executable executable) {
  base::Fd fd(create(name, executable));
  if (!fd.is_open()) {
    auto error = system_error("memfd_create", errno);
    if (errno == EACCES || errno == EPERM) error.kind = ErrorKind::denied;
    return error;
  }
  const RaisedSignalDropped no_signal(SIGXFSZ);
  while (!content.empty()) {
    const auto size = ::write(fd.get(), content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return unwritten_error(name, errno);
    content.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    return system_error("memfd_create", errno);
  }
  return fd;
}

}  // namespace prx::os
