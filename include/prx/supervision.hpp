#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace prx {

namespace app {
class PendingAnswer;
}

/// A request that a rule of [security.tool_policy] wants somebody to look at first.
struct SupervisedCall {
  std::string tool;                       ///< "shell" for a request without one
  std::string command;                    ///< the shell line, or the program with its arguments, on one line
  std::string arguments;                  ///< of the tool's call, JSON; may be empty
  std::string rule;                       ///< the key of the configuration that decided
  std::string reason;                     ///< what in the request it is about; may be empty
  std::chrono::milliseconds time_left{};  ///< until no answer becomes a denial
};

/// How a Supervisor answers: once, from any thread. An answer that comes too late, a second one, and the end
/// of the last copy without an answer (a denial) do nothing more.
class SupervisedAnswer {
 public:
  explicit SupervisedAnswer(std::shared_ptr<app::PendingAnswer> pending);
  void allow() const;
  void deny() const;

 private:
  std::shared_ptr<app::PendingAnswer> pending_;
};

/// Asked on the thread that makes the request, which waits for the answer: so not on a callback of a runtime.
/// It may answer before it returns, or later. It must not throw.
using Supervisor = std::function<void(const SupervisedCall&, SupervisedAnswer)>;

}  // namespace prx
