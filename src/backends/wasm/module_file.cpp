#include "backends/wasm/module_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "os/pipe.hpp"

namespace prx::backends {
namespace {

std::vector<std::string> candidates(const std::string& name, const std::string& module_path,
                                    const std::string& directory) {
  if (name.starts_with('/')) return {name};
  if (name.find('/') != std::string::npos) return {directory + "/" + name};
  const auto folder = module_path.ends_with('/') ? module_path : module_path + "/";
  if (name.ends_with(".wasm") || name.ends_with(".wat")) return {folder + name};
  return {folder + name + ".wasm", folder + name + ".wat"};
}

Error missing(const std::string& name, const std::string& module_path) {
  const bool is_path = name.find('/') != std::string::npos;
  return {ErrorKind::not_found,
          "exec",
          name,
          ENOENT,
          is_path ? "no such module" : "no such module in " + module_path,
          is_path ? "check the path; a relative one begins at the working directory"
                  : "put NAME.wasm there (runtime.wasm.module_path), or give a path with a slash"};
}

Error open_error(const std::string& name, int error_number) {
  auto error = os::system_error("exec", error_number);
  error.subject = name;
  if (error_number == EACCES) error.kind = ErrorKind::denied;
  if (error_number == ENAMETOOLONG || error_number == ELOOP) error.kind = ErrorKind::invalid_request;
  return error;
}

Error not_a_module(const std::string& name, std::string detail, std::string hint) {
  return {ErrorKind::not_executable, "exec", name, 0, std::move(detail), std::move(hint)};
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

Result<ModuleFile> open_module(const std::string& name, const std::string& module_path,
                               const std::string& directory) {
  for (const auto& path : candidates(name, module_path, directory)) {
    base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.is_open() && (errno == ENOENT || errno == ENOTDIR)) continue;
    if (!fd.is_open()) return open_error(name, errno);
    struct stat status{};
    if (::fstat(fd.get(), &status) != 0) return open_error(name, errno);
    if (!S_ISREG(status.st_mode)) return not_a_module(name, "it is no file", "name a .wasm or .wat file");
    if (status.st_size > kMaxModule) {
      return not_a_module(name, "it is larger than 128 MiB, the largest module that is taken",
                          "leave out what it does not need (wasm-opt, wasm-strip)");
    }
    return ModuleFile{path,
                      {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
                       nanoseconds(status.st_ctim)},
                      std::move(fd)};
  }
  return missing(name, module_path);
}

Result<std::string> read_module(const ModuleFile& module) {
  std::string text(static_cast<std::size_t>(module.identity.size), '\0');
  for (std::size_t at = 0; at < text.size();) {
    const auto got = ::pread(module.fd.get(), text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return open_error(module.path, got == 0 ? EIO : errno);
    at += static_cast<std::size_t>(got);
  }
  return text;
}

}  // namespace prx::backends
