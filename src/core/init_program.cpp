#include "core/init_program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "os/memory_file.hpp"

// NOLINTBEGIN(readability-identifier-naming): as src/init/image.S calls them.
extern "C" const char prx_init_image_begin[];
extern "C" const char prx_init_image_end[];
// NOLINTEND(readability-identifier-naming)

namespace prx::core {
namespace {

std::string_view init_image() {
  return {prx_init_image_begin, static_cast<std::size_t>(prx_init_image_end - prx_init_image_begin)};
}

Result<base::Fd> open_memfd() {
  return os::open_memory_file("prx-init", init_image(), os::Executable::yes);
}

/// With the slash; empty for a name without one.
std::string directory_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/') + 1));
}

std::string program_directory() {
  std::array<char, 4096> path{};
  const auto size = ::readlink("/proc/self/exe", path.data(), path.size());
  return size <= 0 ? std::string() : directory_of({path.data(), static_cast<std::size_t>(size)});
}

/// Of the shared object that libprx is a part of: a plugin need not lie where the program does. Linked into
/// the program itself, it is what the program was started as, which adds nothing.
std::string object_directory() {
  Dl_info info{};
  if (::dladdr(prx_init_image_begin, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string_view path(info.dli_fname);
  return path.starts_with('/') ? directory_of(path) : std::string();
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
  for (const auto& place : installed_places("prx-init")) {
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
  error.hint = allow + " or install prx-init, beside the program or as " PRX_INSTALLED_PROGRAMS "prx-init";
  return error;
}

}  // namespace

std::vector<std::string> installed_places(std::string_view name) {
  const auto named = [name](std::string folder) { return folder.append(name); };
  std::vector<std::string> places;
  for (const auto& directory : {program_directory(), object_directory()}) {
    if (directory.empty()) continue;
    // An installation may have been moved since it was configured, so what lies in the same one comes first.
    for (const auto* relative : {"", PRX_PROGRAMS_FROM_BIN, PRX_PROGRAMS_FROM_LIB}) {
      places.push_back(named(directory + relative));
    }
  }
  places.push_back(named(PRX_INSTALLED_PROGRAMS));
  return places;
}

bool is_trusted(const struct stat& status) {
  constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;
  return S_ISREG(status.st_mode) && (status.st_uid == 0 || status.st_uid == ::geteuid()) &&
         (status.st_mode & kWritableByOthers) == 0;
}

Result<os::Launched> launch_init(const char* role, const InitDescriptors& descriptors) {
  const auto launch = [&](const base::Fd& image) {
    const auto& groups = descriptors.groups;
    return os::launch(
        {image.get(),
         "prx-init",
         role,
         {descriptors.stream, descriptors.host_pidfd, descriptors.plan, groups[0], groups[1], groups[2]}});
  };
  auto launched = open_memfd().and_then(launch);
  if (launched || launched.error().kind != ErrorKind::denied) return launched;
  const auto installed = open_installed();
  if (!installed.is_open()) return explain_forbidden(std::move(launched).error());
  return launch(installed);
}

}  // namespace prx::core
