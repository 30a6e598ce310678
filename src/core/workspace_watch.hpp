#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <prx/output.hpp>
#include <prx/result.hpp>

namespace prx::core {

/// Looks after the place where a command works, from before it starts until all of it has ended.
class WorkspaceWatch {
 public:
  virtual ~WorkspaceWatch() = default;
  /// Moves away what has appeared and must not stay. Once, when nothing of the command runs any more.
  virtual std::vector<Quarantined> end() = 0;
};

/// Takes the id of the execution. Any thread. Error kinds exhausted, setup_failed: then nothing is started.
using MakeWorkspaceWatch = std::function<Result<std::unique_ptr<WorkspaceWatch>>(const std::string& id)>;

}  // namespace prx::core
