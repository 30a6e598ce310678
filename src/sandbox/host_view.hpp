#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prx::sandbox {

enum class FileKind : std::uint8_t { directory, file, symlink, other };

struct FileInfo {
  FileKind kind = FileKind::other;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t mode = 0;  ///< permission bits
};

/// What planning asks of this machine. An interface, so that a plan is a pure function of what it sees.
class HostView {
 public:
  virtual ~HostView() = default;

  /// What is at `path` itself, no last link followed; nothing where there is nothing to see.
  [[nodiscard]] virtual std::optional<FileInfo> look(const std::string& path) const = 0;
  [[nodiscard]] virtual std::string read_link(const std::string& path) const = 0;
  /// The path with every link resolved; empty where it does not exist.
  [[nodiscard]] virtual std::string resolve(const std::string& path) const = 0;
  /// At most the first 64 KiB of a regular file; empty where it cannot be read.
  [[nodiscard]] virtual std::string read_text(const std::string& path) const = 0;
  /// Names in a directory, sorted; empty where it cannot be read.
  [[nodiscard]] virtual std::vector<std::string> list(const std::string& path) const = 0;
};

/// The machine itself.
class RealHost final : public HostView {
 public:
  [[nodiscard]] std::optional<FileInfo> look(const std::string& path) const override;
  [[nodiscard]] std::string read_link(const std::string& path) const override;
  [[nodiscard]] std::string resolve(const std::string& path) const override;
  [[nodiscard]] std::string read_text(const std::string& path) const override;
  [[nodiscard]] std::vector<std::string> list(const std::string& path) const override;
};

}  // namespace prx::sandbox
