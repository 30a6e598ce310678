#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace prx {

/// Why something could not be set up, named by the caller's next move. The list only grows; the
/// strings of to_string() are stable and appear in the API, `--json`, MCP and the audit log.
///
/// How a command *ended* is never an Error: see Ending in <prx/output.hpp>.
enum class ErrorKind : std::uint8_t {
  invalid_request,  ///< correct the request or the configuration and call again
  denied,           ///< a policy or a permission forbids it; asking again changes nothing
  not_found,        ///< the program, the shell or the directory does not exist
  not_executable,   ///< it exists and cannot be executed
  unavailable,      ///< this backend does not work here: choose another
  unsupported,      ///< this backend can never do it
  exhausted,        ///< out of processes, descriptors or memory: try again later
  disconnected,     ///< the other side went away: connect again
  setup_failed,     ///< a step of the set-up failed for the reason in os_errno
  internal,         ///< a bug of prx, or a slot that broke the protocol
};

/// The stable name of a kind, e.g. "not_found".
[[nodiscard]] std::string_view to_string(ErrorKind kind) noexcept;

/// What failed, where, and what to do about it. A value; every field but `kind` may be empty.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string step;     ///< the stable name of the failing step: "exec", "chdir", "config" …
  std::string subject;  ///< what the step worked on: a path, a key, a program
  int os_errno = 0;     ///< errno of the failing system call, 0 where none failed
  std::string detail;   ///< one sentence for a person, without subject and errno
  std::string hint;     ///< one thing to do about it

  /// One line: "step: subject: detail (errno text)". The hint is not in it.
  [[nodiscard]] std::string message() const;

  friend bool operator==(const Error&, const Error&) = default;
};

}  // namespace prx
