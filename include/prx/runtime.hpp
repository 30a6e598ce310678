#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prx/output.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

namespace prx {

enum class Channel : std::uint8_t { out, err };

/// A piece of output, in order within its channel. `data` lives until the callback returns.
struct OutputChunk {
  Channel channel = Channel::out;
  std::span<const char> data;
  /// Bytes of this channel that were not delivered right before this piece: the consumer was paused
  /// for longer than its buffer lasted. They are counted in the output all the same.
  std::uint64_t missed = 0;
};

/// Called on the reactor thread of the runtime, one at a time for one execution, and possibly before start()
/// has returned. Callbacks must not block and must not throw: everything else of this host waits for them.
/// They may call start() and any member of Execution but wait(); neither execute() nor the runtime's
/// destructor.
struct ExecutionEvents {
  std::function<void(const OutputChunk&)> output{};
  /// Exactly once, last, also when the execution failed after start(); never when start() returned an Error.
  std::function<void(const Result<ExecutionOutput>&)> ended{};
};

namespace core {
class ExecutionState;
}

/// A running command. All members may be called from any thread, at any time, also after the end
/// (then they do nothing and say so: `disconnected`). Destroying the handle of a running command cancels it;
/// its `ended` event still comes. A handle may outlive its runtime. One that was moved from can only be
/// assigned to and destroyed.
class Execution {
 public:
  explicit Execution(std::shared_ptr<core::ExecutionState> state);
  ~Execution();
  Execution(Execution&&) noexcept;
  Execution& operator=(Execution&&) noexcept;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  [[nodiscard]] const std::string& id() const noexcept;

  /// Queues bytes for the command's stdin (StdinStream or a terminal). Never blocks; at most
  /// 8 MiB are queued, more is `exhausted` and nothing of it is taken. A command that has closed its
  /// stdin or has ended is `disconnected`.
  Result<void> write_stdin(std::span<const char> bytes);
  /// End of file after what is queued. With a terminal: its end-of-file character, which a program
  /// that is only just switching the terminal to raw mode (a REPL at its start) loses: wait for its prompt.
  /// Without StdinStream: `invalid_request`, as write_stdin().
  Result<void> close_stdin();
  /// Sends a signal to the whole tree of the command; returns when it is on its way, or, from a callback,
  /// before. `invalid_request` for what is no signal.
  Result<void> signal(int signal_number);
  /// Sets the size of the terminal. Without one: `invalid_request`.
  Result<void> resize(std::uint16_t rows, std::uint16_t columns);
  /// Ends the tree: `signal_number` now (SIGTERM for what is no signal), SIGKILL after the grace (500 ms). A
  /// second call kills at once. The ending is Cancelled unless the command had already ended.
  void cancel(int signal_number = 15);
  /// Stops output events, resume_output() starts them again. Meanwhile up to `max_output` bytes of
  /// each channel wait, more is counted and told as `missed`: the command is never blocked. What waits
  /// when the command has ended is delivered before `ended`, paused or not.
  void pause_output();
  void resume_output();
  /// Waits for the end, until `ended` has returned. May be called again, from several threads; never on the
  /// reactor thread.
  Result<ExecutionOutput> wait();

 private:
  std::shared_ptr<core::ExecutionState> state_;
};

/// Whether a backend can be used here.
struct Availability {
  bool available = false;
  std::string reason;  ///< why not (or a restriction)
  std::string remedy;  ///< what to do about it
};

/// A place where commands run. Thread-safe: many executions at once, from many threads.
/// Destroying a runtime cancels what was started in it and waits for the end; no execute() may be in progress
/// then. A forked child may go on with a runtime of its parent, but not with its handles.
class RuntimeAdapter {
 public:
  virtual ~RuntimeAdapter() = default;

  /// "native", "docker" or "wasm".
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// A real probe, bounded to two seconds.
  [[nodiscard]] virtual Availability is_available() = 0;

  /// Starts a command and returns at once. An Error here or in `ended` means that the command could
  /// not be set up and did not run:
  ///   invalid_request  the request contradicts itself, names a NUL byte, is larger than the kernel takes
  ///   not_found        program, shell or working directory
  ///   not_executable   no execute permission, no interpreter, wrong architecture
  ///   denied           a policy refuses it
  ///   exhausted        descriptors, processes, memory
  ///   unavailable, unsupported, setup_failed, disconnected, internal   see ErrorKind
  virtual Result<Execution> start(ExecutionRequest request, ExecutionEvents events) = 0;

  /// Starts a command and waits for its end, on the calling thread. Errors as start().
  virtual Result<ExecutionOutput> execute(ExecutionRequest request) = 0;

  /// The RuntimeAdapter call of PRX: without args the command is a shell line, with args a program.
  Result<ExecutionOutput> execute(std::string command, std::vector<std::string> args, std::vector<EnvVar> env,
                                  std::string working_dir, std::chrono::milliseconds timeout);
};

}  // namespace prx
