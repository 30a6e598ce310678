#pragma once

#include <optional>
#include <string>

#include <prx/runtime.hpp>

#include "base/fd.hpp"
#include "cli/signal_inbox.hpp"
#include "cli/streams.hpp"
#include "cli/user_terminal.hpp"

namespace prx::cli {

/// One command from start to end: signals, the terminal and stdin are watched on the calling thread,
/// output is written on the reactor's.
class Session {
 public:
  struct Outcome {
    ExecutionOutput output;
    /// Output that could not be written where it belongs. A reader that has gone is no error.
    std::optional<Error> unwritten;
  };

  [[nodiscard]] static Result<Outcome> run(RuntimeAdapter& runtime, ExecutionRequest request,
                                           const StreamPlan& plan, const SignalInbox& signals);

 private:
  Session(const StreamPlan& plan, const SignalInbox& signals);

  [[nodiscard]] Result<void> open_wakeups();
  [[nodiscard]] ExecutionEvents events();
  void watch(Execution& execution);
  [[nodiscard]] bool input_wanted() const;
  [[nodiscard]] int wait_time() const;

  void on_signal(Execution& execution, int signal);
  void stop(Execution& execution);
  void resume(Execution& execution);
  void end(Execution& execution, int signal);
  void end_if_unread(Execution& execution);
  [[nodiscard]] std::optional<Error> unwritten() const;
  void read_input(Execution& execution);
  void send_input(Execution& execution);

  StreamPlan plan_;
  const SignalInbox& signals_;
  base::Fd woken_;     // eventfd: the command has ended, or a reader of its output is gone
  base::Fd given_up_;  // eventfd: the command is being ended, do not wait for slow readers
  StreamWriter out_;
  StreamWriter err_;
  std::atomic<bool> ended_ = false;
  bool unread_ = false;
  UserTerminal terminal_;
  std::string input_;  // read, not yet taken by the command
};

}  // namespace prx::cli
