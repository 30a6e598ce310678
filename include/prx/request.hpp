#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <prx/units.hpp>

namespace prx {

/// A line for the configured shell (`[runtime.native] shell`): pipes, globs and variables work.
/// Values that are not part of the line go into `args` and are read as "$1", "$2" …: no quoting, no
/// injection.
struct ShellLine {
  std::string text;
  /// Options of the shell itself, before its -c: {"-e", "-o", "pipefail"}.
  std::vector<std::string> options{};
  /// What the line sees as $0, $1 and so on. Without any, $0 is the shell.
  std::vector<std::string> args{};
};

/// A program started directly, without a shell: one argument stays one argument.
/// A `file` without a slash is looked up in the PATH that the command itself gets; with a slash it
/// is relative to the working directory.
struct Program {
  std::string file;
  std::vector<std::string> args{};  ///< without argv[0]
};

using Command = std::variant<ShellLine, Program>;

/// The name holds no `=` and is not empty, neither part holds a NUL byte, or the request is invalid.
struct EnvVar {
  std::string name;
  std::string value{};
  friend bool operator==(const EnvVar&, const EnvVar&) = default;
};

/// The command reads end of file at once.
struct NoStdin {};
/// The command reads these bytes, then end of file. A command that never reads them is not waited for.
struct StdinBytes {
  std::string bytes;
};
/// The command gets this descriptor itself. Borrowed: it is duplicated before start() returns, and open until
/// execute() does. A backend that is not on this machine reads it for the command, and ahead of it.
struct StdinFd {
  int fd = -1;
};
/// The command reads what Execution::write_stdin() sends, until Execution::close_stdin().
struct StdinStream {};

using Stdin = std::variant<NoStdin, StdinBytes, StdinFd, StdinStream>;

/// Output is read by prx: counted, bounded, kept for ExecutionOutput and sent to ExecutionEvents.
struct Capture {};
/// The command writes to this descriptor itself, or what it writes is copied there where the backend is not
/// on this machine; prx does not count the bytes. Borrowed: it is duplicated before start() returns.
struct OutputFd {
  int fd = -1;
};

using OutputTarget = std::variant<Capture, OutputFd>;

/// The command gets a private pseudo-terminal for stdin, stdout and stderr, made by prx-init; never
/// the caller's own. Everything it prints arrives as stdout. The size is in characters.
struct Terminal {
  std::uint16_t rows = 24;
  std::uint16_t columns = 80;
};

/// One command to run. A value, written as `{.command = …, .timeout = …}`: copy it, keep it, start it as
/// often as you like.
struct ExecutionRequest {
  Command command{};
  /// Added to what the configuration lets through; the last of two entries with one name wins.
  std::vector<EnvVar> env{};
  /// Absolute, or relative to the caller's current directory. Empty: the caller's current directory.
  std::string working_dir{};
  /// Time that passes from start to end, by the monotonic clock. Unset: the tool's, then the global default.
  /// Zero, or more than a century: no limit.
  std::optional<std::chrono::milliseconds> timeout{};
  Stdin input = NoStdin{};
  OutputTarget out = Capture{};
  OutputTarget err = Capture{};
  /// Bytes kept of each captured stream, half from its head and half from its tail.
  /// Unset: `runtime.max_output_bytes`.
  std::optional<Bytes> max_output{};
  /// With a terminal, `out` and `err` must be Capture and `input` NoStdin or StdinStream.
  std::optional<Terminal> terminal{};
  /// The name of the tool this is a call of; selects `[runtime.tool_timeouts]` and, of a tool in
  /// `[tools.custom]`, where it runs. May be empty.
  std::string tool{};
  /// The arguments of that call, a JSON object. Not given to the command. May be empty.
  std::string tool_arguments{};
};

}  // namespace prx
