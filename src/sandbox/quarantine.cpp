#include "sandbox/quarantine.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

/// Never over something that is there.
bool rename_into(int from, const char* name, int to, const char* new_name) {
  return ::renameat2(from, name, to, new_name, RENAME_NOREPLACE) == 0;
}

/// The command may have taken the right to move the entry away from itself, and so from its owner: the
/// folder's, and for a directory its own.
void allow_moving(int parent, const char* name) {
  struct stat status{};
  if (::fstat(parent, &status) == 0) {
    // Not fchmod(): the descriptor is an O_PATH one.
    (void)::chmod(("/proc/self/fd/" + std::to_string(parent)).c_str(), (status.st_mode & 07777U) | S_IRWXU);
  }
  if (::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(status.st_mode)) return;
  const int fd = ::openat(parent, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)::chmod(("/proc/self/fd/" + std::to_string(fd)).c_str(), (status.st_mode & 07777U) | S_IRWXU);
  ::close(fd);
}

bool make_private_directories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return !error && ::chmod(path.c_str(), S_IRWXU) == 0;
}

}  // namespace

Quarantine::Quarantine(std::string folder, std::string execution)
    : folder_(std::move(folder)), execution_(std::move(execution)) {}

std::string Quarantine::new_place(const std::string& path) const {
  if (folder_.empty()) return {};
  const auto directory = join(folder_, execution_);
  if (!make_private_directories(directory)) return {};
  auto name = path.substr(1);
  std::replace(name.begin(), name.end(), '/', '_');
  constexpr std::size_t kMaxName = 255;
  if (name.size() > kMaxName) name.erase(0, name.size() - kMaxName);
  return join(directory, name);
}

Result<std::string> Quarantine::take(int parent, const std::string& name, const std::string& path) const {
  const auto aside = name + ".quarantined-" + execution_;
  for (const bool again : {false, true}) {
    if (again) allow_moving(parent, name.c_str());
    const auto place = new_place(path);
    if (!place.empty() && rename_into(parent, name.c_str(), AT_FDCWD, place.c_str())) return place;
    if (rename_into(parent, name.c_str(), parent, aside.c_str())) return join(parent_of(path), aside);
    if (errno != EACCES && errno != EPERM) break;
  }
  return Error{ErrorKind::setup_failed,
               "quarantine",
               path,
               errno,
               "it could not be moved away",
               "look at it, and remove it, before you use the workspace"};
}

}  // namespace prx::sandbox
