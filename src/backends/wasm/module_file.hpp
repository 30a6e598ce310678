#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::backends {

/// Which content of a file was looked at: another one has another identity.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct ModuleFile {
  std::string path;
  FileIdentity identity;
  base::Fd fd;  ///< for reading
};

/// The largest module that is taken.
inline constexpr std::int64_t kMaxModule = 128LL << 20U;

/// The module that a command names: with a slash a file, relative to `directory`; without one a file of
/// `module_path`, NAME.wasm or NAME.wat, or NAME itself where it ends like that.
/// Errors of step "exec", subject the name: not_found, not_executable (no file, too large), denied.
[[nodiscard]] Result<ModuleFile> open_module(const std::string& name, const std::string& module_path,
                                             const std::string& directory);

/// All of it. Error kind setup_failed, where it has been cut off meanwhile.
[[nodiscard]] Result<std::string> read_module(const ModuleFile& module);

}  // namespace prx::backends
