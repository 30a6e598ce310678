#pragma once

#include <string_view>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::cli {

/// Where `--report` goes. Opened before the command starts, so that a report that cannot be written is
/// known while nothing has happened yet.
class Report {
 public:
  /// `target` is a path or "fd:N", a descriptor that prx was started with.
  [[nodiscard]] static Result<Report> open(const std::string& target);

  [[nodiscard]] Result<void> write(std::string_view text) const;

 private:
  base::Fd fd_;
  std::string target_;
};

}  // namespace prx::cli
