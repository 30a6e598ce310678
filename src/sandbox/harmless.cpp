#include "sandbox/harmless.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.hpp"

namespace prx::sandbox {
namespace {

constexpr std::size_t kMaxConfig = 64U << 10U;
constexpr std::string_view kBlank = " \t\r";

struct AllowedKey {
  std::string_view section;
  std::string_view key;
};
constexpr std::array kAllowed{
    AllowedKey{"core", "repositoryformatversion"},
    AllowedKey{"core", "filemode"},
    AllowedKey{"core", "bare"},
    AllowedKey{"core", "logallrefupdates"},
    AllowedKey{"core", "ignorecase"},
    AllowedKey{"core", "precomposeunicode"},
    AllowedKey{"core", "symlinks"},
    AllowedKey{"user", "name"},
    AllowedKey{"user", "email"},
    AllowedKey{"init", "defaultbranch"},
    AllowedKey{"remote", "url"},
    AllowedKey{"remote", "fetch"},
    AllowedKey{"branch", "remote"},
    AllowedKey{"branch", "merge"},
    AllowedKey{"submodule", "active"},
    AllowedKey{"submodule", "url"},
};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

/// The name in `[name]` or `[name "sub"]`, and nothing else on the line.
std::optional<std::string> section_of(std::string_view line) {
  if (!line.ends_with(']')) return std::nullopt;
  line = line.substr(1, line.size() - 2);
  const auto end = line.find_first_of(" \t\"");
  if (end != std::string_view::npos) {
    const auto sub = trimmed(line.substr(end));
    const bool quoted = sub.size() >= 2 && sub.front() == '"' && sub.back() == '"';
    if (!quoted || sub.substr(1, sub.size() - 2).find_first_of("\"]\\") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  return lower(trimmed(line.substr(0, end)));
}

bool is_allowed(std::string_view section, std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  const auto key = lower(trimmed(line.substr(0, equals)));
  const auto value = line.substr(equals + 1);
  // A line that goes on in the next, or a transport that is a program (`ext::`).
  if (value.find('\\') != std::string_view::npos || value.find("::") != std::string_view::npos) return false;
  return std::any_of(kAllowed.begin(), kAllowed.end(), [&](const AllowedKey& allowed) {
    return allowed.section == section && allowed.key == key;
  });
}

std::string read_file(int directory, const char* name) {
  const base::Fd fd(::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!fd.is_open() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return "?";
  std::string text(kMaxConfig + 1, '\0');
  const auto size = ::read(fd.get(), text.data(), text.size());
  if (size < 0 || static_cast<std::size_t>(size) > kMaxConfig) return "?";
  text.resize(static_cast<std::size_t>(size));
  return text;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

bool holds_only_samples(int parent, const char* name) {
  base::Fd fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.is_open()) return false;
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(fd.get()));
  if (!directory) return false;
  (void)fd.release();  // closed with the directory
  while (const auto* entry = ::readdir(directory.get())) {
    const std::string_view entry_name(entry->d_name);
    if (entry_name != "." && entry_name != ".." && !entry_name.ends_with(".sample")) return false;
  }
  return true;
}

}  // namespace

bool is_harmless_git_config(std::string_view text) {
  std::string section;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() != '[') {
      if (!is_allowed(section, line)) return false;
      continue;
    }
    auto named = section_of(line);
    if (!named) return false;
    section = *std::move(named);
  }
  return true;
}

bool is_harmless(int directory, const char* name, Harmless as) {
  struct stat status{};
  switch (as) {
    case Harmless::nothing:
      return false;
    case Harmless::git_config:
      return is_harmless_git_config(read_file(directory, name));
    case Harmless::git_hooks:
      return holds_only_samples(directory, name);
    case Harmless::git_folder:
      return ::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
  }
  return false;
}

}  // namespace prx::sandbox
