#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "support/program.hpp"

namespace prx::test {

/// A user without a passwd entry and a folder that only it can use. Programs that are to run as that
/// user are copied there first: the build may lie under a home directory it cannot enter.
/// Needs root: ask `possible()` and say not_proven() where it is false.
class OrdinaryUser {
 public:
  OrdinaryUser();
  ~OrdinaryUser();
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

  [[nodiscard]] static bool possible();

  [[nodiscard]] uid_t id() const noexcept { return id_; }
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  /// Copies a program into the folder and returns its path there.
  std::string install(const std::string& program) const;
  /// What to execute so that `argv` runs as this user.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& argv) const;
  /// Runs `argv` as this user, in the folder, with only HOME, PATH and PRX_TEST_MARK (where set) in its
  /// environment, unless `options` says otherwise.
  [[nodiscard]] ProgramResult run(const std::vector<std::string>& argv, ProgramOptions options = {}) const;

 private:
  uid_t id_;
  std::string folder_;
};

}  // namespace prx::test
