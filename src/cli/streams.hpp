#pragma once

#include <atomic>
#include <span>

#include <prx/request.hpp>

#include "base/fd.hpp"
#include "cli/run_options.hpp"

namespace prx::cli {

/// How the streams of the command and of prx are connected.
struct StreamPlan {
  bool terminal = false;     ///< the command has a private terminal
  bool is_watched = false;   ///< and somebody sits before it: the default timeout is for the others
  bool relay_input = false;  ///< prx reads its own stdin and sends it on
  bool show_out = false;     ///< captured output is written to prx's stdout as it comes
  bool show_err = false;
};

enum class OutputWanted { streamed, streamed_and_kept, kept };

/// Chooses from what prx itself is connected to. The user's terminal is never given to the command: it
/// gets one of its own, or pipes.
[[nodiscard]] StreamPlan plan_streams(const RunOptions& options, OutputWanted wanted);

/// Puts the plan into the request.
void connect_streams(ExecutionRequest& request, const StreamPlan& plan, const RunOptions& options,
                     OutputWanted wanted);

/// Writes output to a descriptor of prx that may be slow or closed, on the reactor's thread.
///
/// It waits for a slow reader, so the command is slowed down as in any pipeline and nothing is lost.
/// That blocks the reactor, which is free to wait: prx runs one command. Once the command is being
/// ended, give_up_waiting() makes it drop what is not taken at once.
class StreamWriter {
 public:
  StreamWriter(int fd, const base::Fd& given_up) noexcept : fd_(fd), given_up_(given_up) {}

  /// False once the reader is gone.
  bool write(std::span<const char> bytes) noexcept;
  /// Of the write that failed; 0 while none has.
  [[nodiscard]] int error() const noexcept { return error_.load(); }

 private:
  int fd_;
  const base::Fd& given_up_;
  std::atomic<int> error_ = 0;
};

}  // namespace prx::cli
