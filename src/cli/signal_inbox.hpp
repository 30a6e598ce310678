#pragma once

#include <csignal>
#include <optional>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::cli {

/// The signals of prx, read like a file instead of interrupting it. What the caller of prx ignores
/// (nohup, a background job) stays ignored. To be made before any thread is started: the threads
/// inherit the mask.
class SignalInbox {
 public:
  [[nodiscard]] static Result<SignalInbox> open();

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  /// The next signal, or nothing when none waits.
  [[nodiscard]] std::optional<int> next() const;

 private:
  base::Fd fd_;
};

/// Whether `signal` asks prx to end.
[[nodiscard]] bool is_ending(int signal) noexcept;

}  // namespace prx::cli
