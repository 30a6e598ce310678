#include "backends/wasm/own_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/fd.hpp"

namespace prx::backends {

bool is_own(const struct stat& status, mode_t kind) {
  constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
  return (status.st_mode & S_IFMT) == kind && status.st_uid == ::geteuid() &&
         (status.st_mode & kOthersWrite) == 0;
}

std::optional<std::string> read_own(const std::string& path, std::size_t most) {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status{};
  if (!fd.is_open() || ::fstat(fd.get(), &status) != 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!is_own(status, S_IFREG) || size > most) return std::nullopt;
  std::string text(size, '\0');
  for (std::size_t at = 0; at < size;) {
    const auto got = ::pread(fd.get(), text.data() + at, size - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    at += static_cast<std::size_t>(got);
  }
  return text;
}

int write_new(const std::string& path, std::initializer_list<std::string_view> parts) {
  const base::Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.is_open()) return errno;
  for (auto part : parts) {
    while (!part.empty()) {
      const auto size = ::write(fd.get(), part.data(), part.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return errno;
      part.remove_prefix(static_cast<std::size_t>(size));
    }
  }
  return 0;
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  auto name = path + "." + std::to_string(::getpid()) + "." + std::to_string(++counter) + ".tmp";
  (void)::unlink(name.c_str());  // of another process with this number, which died over it
  return name;
}

}  // namespace prx::backends
