#include "backends/docker/cache_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>

#include "base/fd.hpp"
#include "base/try.hpp"
#include "os/pipe.hpp"
#include "protocol/seal.hpp"

namespace prx::backends {
namespace {

Error cache_error(const std::string& path, int error_number) {
  auto error = os::system_error("cache", error_number);
  error.subject = path;
  if (error_number == EACCES || error_number == EPERM || error_number == EROFS) {
    error.kind = ErrorKind::denied;
    error.hint = "set XDG_CACHE_HOME to a folder that can be written";
  }
  return error;
}

/// No secret: a name for a content. Who may write here may anything anyway.
std::string name_of(std::string_view content) {
  constexpr std::array<std::byte, protocol::kSealKeySize> kKey{};
  return fmt::format("{:016x}{:08x}", protocol::seal_of(kKey, std::as_bytes(std::span(content))),
                     content.size());
}

std::string parent_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') return cache;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.cache";
  return {};
}

Result<void> write_file(const std::string& path, std::string_view content, unsigned mode) {
  const base::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return cache_error(path, errno);
  while (!content.empty()) {
    const auto size = ::write(file.get(), content.data(), content.size());
    if (size < 0 && errno != EINTR) return cache_error(path, errno);
    if (size > 0) content.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fchmod(file.get(), mode) != 0) return cache_error(path, errno);
  return {};
}

}  // namespace

Result<CacheFolder> CacheFolder::open() {
  const auto parent = parent_folder();
  if (!parent.empty()) return open_in(parent);
  return Error{
      ErrorKind::unavailable,      "cache", {}, 0, "there is no folder for prx's files: HOME is not set",
      "set HOME or XDG_CACHE_HOME"};
}

Result<CacheFolder> CacheFolder::open_in(const std::string& parent) {
  constexpr auto kPrivate = std::filesystem::perms::owner_all;
  auto path = parent + "/openprx/docker";
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return cache_error(path, error.value());
  std::filesystem::permissions(path, kPrivate, error);
  struct stat status{};
  if (error || ::lstat(path.c_str(), &status) != 0) return cache_error(path, error ? error.value() : errno);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) return cache_error(path, EPERM);
  return CacheFolder(std::move(path));
}

Result<std::string> CacheFolder::store(std::string_view name, std::string_view content, unsigned mode) const {
  const auto file = fmt::format("{}-{}", name, name_of(content));
  if (read(file) != content) PRX_CHECK(write(file, content, mode));
  return path_ + "/" + file;
}

std::optional<std::string> CacheFolder::read(std::string_view file) const {
  const base::Fd fd(::open((path_ + "/" + std::string(file)).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.is_open()) return std::nullopt;
  std::string content;
  std::array<char, 16384> part{};
  for (;;) {
    const auto size = ::read(fd.get(), part.data(), part.size());
    if (size == 0) return content;
    if (size < 0 && errno != EINTR) return std::nullopt;
    if (size > 0) content.append(part.data(), static_cast<std::size_t>(size));
  }
}

Result<void> CacheFolder::write(std::string_view file, std::string_view content, unsigned mode) const {
  static std::atomic<unsigned> counter{0};
  const auto path = path_ + "/" + std::string(file);
  const auto temporary = fmt::format("{}.{}.{}", path, ::getpid(), ++counter);
  (void)::unlink(temporary.c_str());  // of another process with this number, which died over it
  auto written = write_file(temporary, content, mode);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = cache_error(path, errno);
  if (!written) (void)::unlink(temporary.c_str());
  return written;
}

}  // namespace prx::backends
