#pragma once

#include <string>

#include <prx/error.hpp>
#include <prx/output.hpp>

namespace prx::core {

/// What was asked for, as far as it tells why it failed.
struct FailedCommand {
  const std::string& file;         ///< as it was to be executed
  const std::string& working_dir;  ///< absolute
};

/// Tells a failure of the command from one that the sandbox explains. Asked only about commands that failed,
/// on the thread of the execution: an answer takes a bounded time, and changes nothing.
class FailureExplainer {
 public:
  virtual ~FailureExplainer() = default;

  /// Adds what the sandbox has refused to `output.violations`. The output is complete otherwise.
  virtual void explain(const FailedCommand& command, ExecutionOutput& output) const = 0;
  /// Makes the error of a command that did not start say so where it is the sandbox that hides the program or
  /// the directory.
  virtual void explain(const FailedCommand& command, Error& error) const = 0;
};

}  // namespace prx::core
