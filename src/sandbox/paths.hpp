#pragma once

#include <string>
#include <string_view>

namespace prx::sandbox {

/// Whether `path` is `parent` or below it; both absolute and without links.
[[nodiscard]] inline bool is_within(std::string_view path, std::string_view parent) {
  if (parent == "/") return true;
  return path.starts_with(parent) && (path.size() == parent.size() || path[parent.size()] == '/');
}

[[nodiscard]] inline std::string join(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

[[nodiscard]] inline std::string parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(path.substr(0, slash));
}

}  // namespace prx::sandbox
