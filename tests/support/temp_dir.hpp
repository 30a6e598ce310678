#pragma once

#include <string>
#include <string_view>

namespace prx::test {

/// A fresh folder under /tmp, mode 0700, removed with what is in it.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The path of something in it, which need not exist.
  [[nodiscard]] std::string operator/(std::string_view name) const;
  /// Writes a file of it and returns the path. `mode` is exact, whatever the umask.
  std::string write(std::string_view name, std::string_view content, unsigned mode = 0644) const;

 private:
  std::string path_;
};

/// The whole content of a file, also of one in /proc. Empty when it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace prx::test
