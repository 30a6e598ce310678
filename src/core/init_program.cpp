#include "core/init_program.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "os/pipe.hpp"
#include "os/signal_mask.hpp"

extern "C" const char prx_init_image_begin[];
extern "C" const char prx_init_image_end[];

namespace prx::core {
namespace {

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U  // Linux 6.3
#endif

std::string_view init_image() {
  return {prx_init_image_begin, static_cast<std::size_t>(prx_init_image_end - prx_init_image_begin)};
}

int create_memfd() {
  const auto create = [](unsigned flags) {
    return static_cast<int>(::syscall(SYS_memfd_create, "prx-init", flags));
  };
  const int fd = create(MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
  return fd < 0 && errno == EINVAL ? create(MFD_CLOEXEC | MFD_ALLOW_SEALING) : fd;
}

/// A limit of file sizes (ulimit -f) counts for files in memory, too. An installed prx-init needs no writing,
/// so this is one more way in which a system forbids it.
Error unwritten_error(int error_number) {
  if (error_number != EFBIG) return os::system_error("memfd_create", error_number);
  return {ErrorKind::denied,
          "memfd_create",
          "prx-init",
          EFBIG,
          "the limit of file sizes leaves no room for it",
          {}};
}

Result<base::Fd> open_memfd() {
  base::Fd fd(create_memfd());
  if (!fd.is_open()) {
    auto error = os::system_error("memfd_create", errno);
    if (errno == EACCES || errno == EPERM) error.kind = ErrorKind::denied;
    return error;
  }
  const os::RaisedSignalDropped no_signal(SIGXFSZ);
  for (auto rest = init_image(); !rest.empty();) {
    const auto size = ::write(fd.get(), rest.data(), rest.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return unwritten_error(errno);
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    return os::system_error("memfd_create", errno);
  }
  return fd;
}

std::string own_directory() {
  std::array<char, 4096> path{};
  const auto size = ::readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return {};
  const std::string_view text(path.data(), static_cast<std::size_t>(size));
  return std::string(text.substr(0, text.rfind('/')));
}

std::vector<std::string> installed_places() {
  std::vector<std::string> places{PRX_INSTALLED_INIT};
  if (const auto directory = own_directory(); !directory.empty()) {
    places.push_back(directory + "/prx-init");
    places.push_back(directory + "/../libexec/prx/prx-init");
  }
  return places;
}

/// Nobody else could have written it, and nobody else will between the look and the execution.
bool is_trusted(const struct stat& status) {
  constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;
  return S_ISREG(status.st_mode) && (status.st_uid == 0 || status.st_uid == ::geteuid()) &&
         (status.st_mode & kWritableByOthers) == 0;
}

bool holds_init_image(int fd, const struct stat& status) {
  const auto expected = init_image();
  if (static_cast<std::size_t>(status.st_size) != expected.size()) return false;
  void* mapped = ::mmap(nullptr, expected.size(), PROT_READ, MAP_PRIVATE, fd, 0);
  if (mapped == MAP_FAILED) return false;
  const bool same = std::string_view(static_cast<const char*>(mapped), expected.size()) == expected;
  ::munmap(mapped, expected.size());
  return same;
}

base::Fd open_installed() {
  for (const auto& place : installed_places()) {
    base::Fd fd(::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat status{};
    if (!fd.is_open() || ::fstat(fd.get(), &status) != 0) continue;
    if (is_trusted(status) && holds_init_image(fd.get(), status)) return fd;
  }
  return {};
}

Error explain_forbidden(Error error) {
  const std::string allow =
      error.os_errno == EFBIG ? "raise it (ulimit -f)" : "allow it (vm.memfd_noexec below 2)";
  error.hint = allow + " or install prx-init where prx looks for it: " PRX_INSTALLED_INIT;
  return error;
}

}  // namespace

Result<os::Launched> launch_init(const char* role, int stream, int host_pidfd, int cgroup) {
  auto launched = open_memfd().and_then(
      [&](base::Fd image) { return os::launch({image.get(), role, stream, host_pidfd, cgroup}); });
  if (launched || launched.error().kind != ErrorKind::denied) return launched;
  const auto installed = open_installed();
  if (!installed.is_open()) return explain_forbidden(std::move(launched).error());
  return os::launch({installed.get(), role, stream, host_pidfd, cgroup});
}

}  // namespace prx::core
