#pragma once

#include <string>
#include <vector>

#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// `root` without what lies in it and must not be read, for a wall that can only allow whole trees: the largest
/// trees that hold none of it. What appears between them later is not shown either.
class ReadablePaths {
 public:
  /// `hidden`: resolved paths. `only_public`: nothing either that the file's own permissions keep from others,
  /// for a command that has the owner's id.
  ReadablePaths(const HostView& host, const std::vector<std::string>& hidden, bool only_public)
      : host_(host), hidden_(hidden), only_public_(only_public) {}

  [[nodiscard]] std::vector<std::string> within(const std::string& root) const;

 private:
  struct Tree {
    bool whole = true;  ///< nothing in it is left out
    std::vector<std::string> parts;
  };
  [[nodiscard]] Tree look_at(const std::string& path) const;
  [[nodiscard]] bool must_look_into(const std::string& path) const;

  const HostView& host_;
  const std::vector<std::string>& hidden_;
  const bool only_public_;
};

}  // namespace prx::sandbox
