#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <prx/output.hpp>
#include <prx/result.hpp>

#include "audit/chain_file.hpp"
#include "audit/records.hpp"

namespace prx::audit {

/// The audit log of a runtime. Thread-safe.
class Log {
 public:
  /// Touches nothing: the file is made with the first record.
  Log(FileOptions options, std::string caller, const std::vector<std::string>& environment);

  /// Before anything is started. Returns what the call is named in the log.
  [[nodiscard]] Result<std::string> decision(const DecisionRecord& decision);
  /// After it has ended, or could not be started.
  [[nodiscard]] Result<void> execution(const std::string& call, const std::string& tool,
                                       const Result<ExecutionOutput>& result);

 private:
  ChainFile file_;
  const std::string caller_;
  const Redactor redactor_;
  std::mutex mutex_;
  std::map<std::string, Redactor> running_;  // guarded by mutex_; with the secrets of each call
};

}  // namespace prx::audit
