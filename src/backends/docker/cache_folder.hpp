#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <prx/result.hpp>

namespace prx::backends {

/// prx's cache folder for this backend: $XDG_CACHE_HOME/openprx/docker, or below ~/.cache; mode 0700. What is
/// written there appears whole or not at all. Thread-safe, and between processes, too.
class CacheFolder {
 public:
  /// Errors of step "cache": unavailable (nobody's home is known), denied, setup_failed.
  [[nodiscard]] static Result<CacheFolder> open();
  /// The same in `parent`.
  [[nodiscard]] static Result<CacheFolder> open_in(const std::string& parent);

  /// The path of a file with this content, made where it is missing or another; its name is `name` and a hash
  /// of the content.
  [[nodiscard]] Result<std::string> store(std::string_view name, std::string_view content,
                                          unsigned mode) const;
  [[nodiscard]] std::optional<std::string> read(std::string_view file) const;
  [[nodiscard]] Result<void> write(std::string_view file, std::string_view content, unsigned mode) const;

 private:
  explicit CacheFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace prx::backends
