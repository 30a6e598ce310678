#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <prx/units.hpp>

namespace prx {

struct Exited {
  int code = 0;  ///< 0 to 255
};
struct Signaled {
  int signal = 0;
};
/// The deadline passed; the whole tree got SIGTERM, then SIGKILL after the grace.
struct TimedOut {
  std::chrono::milliseconds limit{};
};
struct OutOfMemory {
  Bytes limit{};
};
/// Ended by Execution::cancel(). `signal` is the signal the tree was asked to end with.
struct Cancelled {
  int signal = 0;
};
struct OutputLimit {
  Bytes limit{};
};
struct Violated {
  std::string rule;
};
/// A WebAssembly program did what its engine does not let it do, or gave up by itself. `trap` is stable:
/// "unreachable" (an abort, a panic), "memory-out-of-bounds", "table-out-of-bounds", "indirect-call",
/// "integer-overflow", "division-by-zero", "invalid-conversion", "stack-overflow", "other".
struct Trapped {
  std::string trap;
};

/// How a command ended. A value, never an Error.
using Ending =
    std::variant<Exited, Signaled, TimedOut, OutOfMemory, Cancelled, OutputLimit, Violated, Trapped>;

/// The stable name: exited, signaled, timed_out, out_of_memory, cancelled, output_limit, violated, trapped.
[[nodiscard]] std::string_view to_string(const Ending& ending) noexcept;

/// The one place an exit status is derived from an ending: the code; 128+signal; 124 timed out;
/// 137 out of memory; 130 cancelled by SIGINT, 128+signal by another; 125 output limit;
/// 159 violated (128+SIGSYS); 134 trapped (128+SIGABRT).
[[nodiscard]] int exit_code_of(const Ending& ending) noexcept;

/// What was kept of one output stream. When `omitted` is not zero, `bytes` is head and tail joined:
/// the first `gap_at` bytes are the head, and `omitted` bytes of the stream are missing there. Always
/// `total_bytes == bytes.size() + omitted`. All zero and empty for a stream that was not captured (OutputFd).
struct CapturedStream {
  std::string bytes;              ///< raw, not necessarily UTF-8
  std::uint64_t total_bytes = 0;  ///< what the command wrote, kept or not
  std::uint64_t omitted = 0;
  std::size_t gap_at = 0;

  [[nodiscard]] bool truncated() const noexcept { return omitted != 0; }
  /// For people and models: valid UTF-8 (a character cut by the gap is left out whole, invalid bytes
  /// become U+FFFD), with a line in the gap that says how many bytes are missing.
  [[nodiscard]] std::string text() const;
};

/// Of the command and every descendant that was reaped. All zero where prx-init could not tell
/// (unresponsive).
struct Usage {
  std::chrono::microseconds user_cpu{};
  std::chrono::microseconds system_cpu{};
  Bytes max_rss{};              ///< the largest single process
  Bytes peak_memory{};          ///< of the whole tree at one moment; zero where no control group tells
  std::uint32_t oom_kills = 0;  ///< processes that the memory limit of the control group has ended
};

/// A limit of [security.resources] that is not zero, and what holds the command to it.
struct EnforcedLimit {
  std::string limit;  ///< "memory", "cpu_time", "subprocesses", "open_files", "file_size"
  /// "cgroup-v2", "cgroup-v1": the kernel, the whole tree. "rlimit": the kernel, each process, or all those
  /// of the slot's own user (subprocesses). "watched": prx-init, the whole tree, within a fraction of a
  /// second, and beside it the kernel each process. "none": a default that nothing here can enforce.
  std::string by;
};

/// Where the time went, each step's own duration; spawn, run and cleanup are zero where prx-init could not
/// tell.
struct Timings {
  std::chrono::microseconds slot{};     ///< until a slot had the request
  std::chrono::microseconds spawn{};    ///< in the slot: request read until the program was executing
  std::chrono::microseconds run{};      ///< until the main process ended
  std::chrono::microseconds cleanup{};  ///< ending and reaping what it left behind
  std::chrono::microseconds drain{};    ///< from there until the output was complete
};

/// Descendants that were still there when the main process had ended.
struct Leftovers {
  std::uint32_t killed = 0;
  std::uint32_t alive = 0;  ///< could not be ended within the bound: see docs/architecture.md
};

/// Calls of one kind that the sandbox refused. The command saw an errno and went on.
struct Denial {
  std::string rule;  ///< stable: "mount", "keyring", "terminal-injection" …
  std::uint32_t count = 0;
};

/// Something that a command left at a protected place of the workspace where nothing was before.
struct Quarantined {
  std::string path;      ///< where it was
  std::string moved_to;  ///< where it is now; empty: it could not be moved, and is still there
};

/// Something that the sandbox refused a command that failed.
struct Violation {
  std::string subject;  ///< a path, "network", or the rule of denied system calls: printable
  std::string rule;     ///< stable: "not-shown", "private", "protected", "hidden", "seccomp", "network" …
  std::string text;     ///< sentences for a person or a model: what, why, and what would change it
};

enum class SlotKind : std::uint8_t { cold, warm };

struct ExecutionOutput {
  std::string id;  ///< of this execution, unique
  CapturedStream out;
  CapturedStream err;  ///< with a terminal always empty
  Ending ending;
  int exit_code = 0;                     ///< exit_code_of(ending)
  std::chrono::microseconds duration{};  ///< from the request to this output
  Usage usage;
  Timings timings;
  Leftovers leftovers;
  std::string backend;  ///< "native", "docker", "wasm"
  std::string sandbox;  ///< "none", "namespaces" …
  SlotKind slot = SlotKind::cold;
  /// True when prx-init did not answer and the host's backstop ended the slot.
  bool unresponsive = false;
  std::uint32_t env_withheld = 0;  ///< host variables that the command did not get
  /// What the sandbox's filter refused; empty also where it does not tell (`denials_observed`).
  std::vector<Denial> denials;
  bool denials_observed = false;
  std::vector<EnforcedLimit> enforced;   ///< by limit, in the order of the configuration
  std::vector<Quarantined> quarantined;  ///< `protected_paths` that appeared
  std::vector<std::string> warnings;     ///< sentences for a person
  /// Of a command that did not exit with 0: what of its failure the sandbox explains, at most eight. Drawn
  /// from the calls it denied and from what the captured output names; empty does not mean that it refused
  /// nothing.
  std::vector<Violation> violations;
};

}  // namespace prx
