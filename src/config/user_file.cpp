#include "config/user_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "base/fd.hpp"

namespace prx::config {

namespace {

constexpr std::string_view kPlace = "openprx/config.toml";

bool is_null_device(const struct stat& status) {
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

const char* kind_of(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (S_ISFIFO(status.st_mode)) return "is a pipe";
  if (S_ISSOCK(status.st_mode)) return "is a socket";
  return "is a device";
}

std::variant<base::Fd, FileProblem> open_regular(const char* path) {
  // O_NONBLOCK: opening a pipe without a writer would wait for one.
  base::Fd fd(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.is_open()) {
    return FileProblem{
        errno, "cannot be opened",
        errno == ENOENT ? "`prx config init` writes one" : "check the path and its permissions"};
  }
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return FileProblem{errno, "cannot be examined", {}};
  if (S_ISREG(status.st_mode) || is_null_device(status)) return fd;
  return FileProblem{0, fmt::format("{}, not a file", kind_of(status)),
                     "name a regular file; what a pipe would bring can be given with --set"};
}

std::variant<std::string, FileProblem> read_whole(int fd) {
  std::string text(kMaxFileBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(fd, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileProblem{errno, "cannot be read", {}};
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > kMaxFileBytes) {
    return FileProblem{0, fmt::format("is larger than {} bytes", kMaxFileBytes),
                       "a configuration is a few kilobytes: is this the right file?"};
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string_view find_variable(const std::vector<std::string>& environment, std::string_view name) noexcept {
  for (const std::string_view variable : environment) {
    if (variable.size() > name.size() && variable.starts_with(name) && variable[name.size()] == '=') {
      return variable.substr(name.size() + 1);
    }
  }
  return {};
}

std::string_view home_of(const std::vector<std::string>& environment) noexcept {
  auto home = find_variable(environment, "HOME");
  while (home.size() > 1 && home.ends_with('/')) home.remove_suffix(1);
  return home.starts_with('/') ? home : std::string_view{};
}

UserFile locate_user_file(const ConfigSources& sources) {
  if (sources.file) return {*sources.file, true};
  const auto named = find_variable(sources.environment, "PRX_CONFIG");
  if (!named.empty()) return {std::string(named), true};
  // The XDG base directory specification ignores a relative path.
  const auto xdg = find_variable(sources.environment, "XDG_CONFIG_HOME");
  if (xdg.starts_with('/')) return {fmt::format("{}/{}", xdg, kPlace), false};
  const auto home = home_of(sources.environment);
  if (!home.empty()) return {fmt::format("{}/.config/{}", home, kPlace), false};
  return {};
}

std::variant<std::optional<std::string>, FileProblem> read_user_file(const UserFile& file) {
  if (file.path.empty()) {
    if (!file.must_exist) return std::nullopt;
    return FileProblem{0, "the path of the configuration file is empty", "name a file"};
  }
  if (file.path.find('\0') != std::string::npos) {
    return FileProblem{0, "the path of the configuration file has a NUL byte", "name a file"};
  }
  auto opened = open_regular(file.path.c_str());
  if (auto* problem = std::get_if<FileProblem>(&opened)) {
    const bool is_missing = problem->os_errno == ENOENT || problem->os_errno == ENOTDIR;
    if (is_missing && !file.must_exist) return std::nullopt;
    return std::move(*problem);
  }
  auto text = read_whole(std::get<base::Fd>(opened).get());
  if (auto* problem = std::get_if<FileProblem>(&text)) return std::move(*problem);
  return std::get<std::string>(std::move(text));
}

}  // namespace prx::config
