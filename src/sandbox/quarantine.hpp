#pragma once

#include <string>

#include <prx/result.hpp>

namespace prx::sandbox {

/// Where things are moved to that a command put where it must not. Out of the reach of commands; on another
/// file system than the workspace it cannot be used, and they are renamed where they are.
class Quarantine {
 public:
  /// `folder`: absolute, made on first use; empty: there is none. `execution`: whose things.
  Quarantine(std::string folder, std::string execution);

  /// Moves the entry `name` of the open directory `parent`, whatever it is, and gives the new path. `path` is
  /// its old one. Error: setup_failed; it is where it was.
  [[nodiscard]] Result<std::string> take(int parent, const std::string& name, const std::string& path) const;

 private:
  [[nodiscard]] std::string new_place(const std::string& path) const;

  std::string folder_;
  std::string execution_;
};

}  // namespace prx::sandbox
