#include "sandbox/host_view.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/fd.hpp"

namespace prx::sandbox {
namespace {

constexpr std::size_t kMaxText = 64U << 10U;

FileKind kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return FileKind::directory;
  if (S_ISREG(mode)) return FileKind::file;
  return S_ISLNK(mode) ? FileKind::symlink : FileKind::other;
}

}  // namespace

std::optional<FileInfo> RealHost::look(const std::string& path) const {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileInfo{kind_of(status.st_mode), status.st_dev, status.st_ino,
                  status.st_uid,           status.st_gid, status.st_mode & 07777U};
}

std::string RealHost::read_link(const std::string& path) const {
  std::array<char, 4096> text{};
  const auto size = ::readlink(path.c_str(), text.data(), text.size());
  return size <= 0 ? std::string() : std::string(text.data(), static_cast<std::size_t>(size));
}

std::string RealHost::resolve(const std::string& path) const {
  std::error_code error;
  auto real = std::filesystem::canonical(path, error);
  return error ? std::string() : real.string();
}

std::string RealHost::read_text(const std::string& path) const {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!fd.is_open() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::string text(kMaxText, '\0');
  const auto size = ::read(fd.get(), text.data(), text.size());
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return text;
}

std::vector<std::string> RealHost::list(const std::string& path) const {
  std::vector<std::string> names;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(path, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace prx::sandbox
