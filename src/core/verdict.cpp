#include "core/verdict.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

#include "base/printable.hpp"
#include "os/pipe.hpp"

namespace prx::core {
namespace {

using protocol::Cause;
using protocol::Step;
using protocol::Trailer;

std::chrono::microseconds to_us(std::uint64_t ns) {
  return std::chrono::microseconds(ns / 1000);
}

Error chdir_error(Error error) {
  switch (error.os_errno) {
    case ENOENT:
      error.kind = ErrorKind::not_found;
      error.detail = "the working directory does not exist";
      error.hint = "create it, or choose one that exists";
      break;
    case ENOTDIR:
      error.kind = ErrorKind::invalid_request;
      error.detail = "the working directory is not a directory";
      error.hint = "choose a directory";
      break;
    case ELOOP:
      error.kind = ErrorKind::invalid_request;
      error.detail =
          "the working directory goes through a magic link (such as /proc/self/fd/N) or a loop of links";
      error.hint = "give the directory's real path";
      break;
    case EACCES:
      error.kind = ErrorKind::denied;
      error.detail = "the working directory may not be entered";
      error.hint = "it and each directory above it need execute permission for this user";
      break;
    case ENAMETOOLONG:
      error.kind = ErrorKind::invalid_request;
      error.detail = "the working directory's name is longer than the kernel takes";
      error.hint = "one part of a path has at most 255 bytes, all of it at most 4095";
      break;
    default:
      break;
  }
  return error;
}

std::size_t longest_argument(const RequestPlan& plan) {
  std::size_t longest = 0;
  for (const auto& text : plan.fields.argv) longest = std::max(longest, text.size());
  for (const auto& text : plan.fields.env) longest = std::max(longest, text.size());
  return longest;
}

Error too_big_error(Error error, const RequestPlan& plan) {
  constexpr std::size_t kMaxArgument = 128U << 10U;  // MAX_ARG_STRLEN, 32 pages
  error.kind = ErrorKind::invalid_request;
  if (longest_argument(plan) >= kMaxArgument) {
    error.detail = "one argument or variable is over the kernel's limit of 131072 bytes";
  } else {
    error.detail = "arguments and environment together are over the kernel's limit of " +
                   std::to_string(::sysconf(_SC_ARG_MAX)) + " bytes";
  }
  error.hint = "pass the data on stdin or in a file";
  return error;
}

Error missing_program_error(Error error) {
  const bool has_path = error.subject.find('/') != std::string::npos;
  error.kind = ErrorKind::not_found;
  error.detail = has_path ? "no such program" : "no such program in PATH";
  error.hint = has_path ? "check the path; a relative one begins at the working directory"
                        : "install it, give its path, or add its directory to the command's PATH";
  return error;
}

Error exec_error(Error error, const RequestPlan& plan) {
  switch (error.os_errno) {
    case ENOENT:
    case ENOTDIR:
      return missing_program_error(std::move(error));
    case EACCES:
    case EPERM:
      error.kind = ErrorKind::not_executable;
      error.detail = "not an executable file, or no permission to execute it";
      error.hint =
          "make it executable (chmod +x), unless it is a directory or its file system is mounted noexec";
      break;
    case ENOEXEC:
      error.kind = ErrorKind::not_executable;
      error.detail = "neither a program of this machine nor a script with a #! line";
      error.hint = "add a first line such as #!/bin/sh";
      break;
    case ETXTBSY:
      error.kind = ErrorKind::exhausted;
      error.detail = "the program is being written at this moment";
      error.hint = "try again once whoever writes it has closed it";
      break;
    case ELOOP:
      error.kind = ErrorKind::invalid_request;
      error.detail = "the program's path is a loop of symbolic links, or scripts name each other";
      error.hint = "name the program that is meant";
      break;
    case ENAMETOOLONG:
      error.kind = ErrorKind::invalid_request;
      error.detail = "the program's name is longer than the kernel takes";
      error.hint = "one part of a path has at most 255 bytes, all of it at most 4095";
      break;
    case E2BIG:
      return too_big_error(std::move(error), plan);
    default:
      break;
  }
  return error;
}

Error interpreter_error(Error error) {
  error.kind = ErrorKind::not_executable;
  error.detail = "the interpreter that the program names does not exist";
  error.hint = "install it, or correct the #! line (a carriage return at its end counts, too)";
  return error;
}

/// The slot could not be confined; it is not made without.
Error confinement_error(Error error) {
  if (error.kind == ErrorKind::setup_failed || error.kind == ErrorKind::denied) {
    error.kind = ErrorKind::unavailable;
    error.hint = "`prx doctor` says what this machine can do; security.sandbox.backend names another kind";
  }
  if (error.os_errno == ESTALE) {
    error.kind = ErrorKind::not_found;
    error.detail = "it is not the file that it was when the sandbox was planned";
    error.hint = "make a new runtime";
  }
  return error;
}

/// An engine's own words; they come out of the slot.
Error engine_error(Error error) {
  error.detail = base::printable(std::exchange(error.subject, {}));
  switch (std::exchange(error.os_errno, 0)) {
    case ENOEXEC:
      error.kind = ErrorKind::not_executable;
      error.hint = "`prx wasm inspect` shows what the module is and what it needs";
      break;
    case ENOMEM:
      error.kind = ErrorKind::exhausted;
      error.hint =
          "it needs more than runtime.wasm.max_memory_mb, or the address space is limited (ulimit -v)";
      break;
    default:
      error.hint = "if it stays, remove the compiled code in prx's cache folder (~/.cache/openprx/wasm)";
      break;
  }
  return error;
}

/// What was there when the runtime was made has gone since; the command is not started without its limits.
Error limits_error(Error error) {
  if (error.kind != ErrorKind::setup_failed && error.kind != ErrorKind::denied &&
      error.kind != ErrorKind::not_found) {
    return error;
  }
  error.kind = ErrorKind::unavailable;
  error.detail = "the slot's control group did not take the limit";
  error.hint = "make a new runtime, or set the limits of [security.resources] that it is for to 0";
  return error;
}

}  // namespace

Error setup_error(const Trailer& trailer, const RequestPlan& plan) {
  auto error = os::system_error("", trailer.error);
  error.step = protocol::to_string(trailer.step);
  error.subject = trailer.subject;
  switch (trailer.step) {
    case Step::chdir:
      return chdir_error(std::move(error));
    case Step::exec:
      return exec_error(std::move(error), plan);
    case Step::interpreter:
      return interpreter_error(std::move(error));
    case Step::network:
    case Step::mount:
    case Step::identity:
    case Step::landlock:
    case Step::seccomp:
    case Step::launcher:
      return confinement_error(std::move(error));
    case Step::limits:
      return limits_error(std::move(error));
    case Step::engine:
      return engine_error(std::move(error));
    case Step::plan:
      error.kind = ErrorKind::internal;
      return error;
    case Step::request:
      if (trailer.error == EBADMSG) error.kind = ErrorKind::internal;
      return error;
    default:
      return error;
  }
}

Ending ending_of(const Trailer& trailer, const RequestPlan& plan) {
  if (trailer.cause == Cause::timed_out) return TimedOut{plan.timeout};
  if (trailer.cause == Cause::cancelled) return Cancelled{static_cast<int>(trailer.cancel_signal)};
  if (trailer.cause == Cause::out_of_memory) return OutOfMemory{plan.max_memory};
  if (trailer.cause == Cause::cpu_time) return Violated{"security.resources.max_cpu_time_seconds"};
  if (trailer.trap != protocol::Trap::none) return Trapped{std::string(protocol::to_string(trailer.trap))};
  if (!WIFSIGNALED(trailer.wait_status)) return Exited{WEXITSTATUS(trailer.wait_status)};
  const int signal = WTERMSIG(trailer.wait_status);
  // The kernel counts whom its limit has ended; that it was the command itself is what the signal says.
  if (signal == SIGKILL && trailer.oom_kills > 0) return OutOfMemory{plan.max_memory};
  if (signal == SIGXFSZ && plan.has_file_limit) return Violated{"security.resources.max_file_size_mb"};
  return Signaled{signal};
}

void apply_trailer(const Trailer& trailer, const RequestPlan& plan, ExecutionOutput& output) {
  output.ending = ending_of(trailer, plan);
  output.exit_code = exit_code_of(output.ending);
  output.usage.user_cpu = std::chrono::microseconds(trailer.user_us);
  output.usage.system_cpu = std::chrono::microseconds(trailer.system_us);
  output.usage.max_rss = Bytes{trailer.max_rss_bytes};
  output.usage.peak_memory = Bytes{trailer.peak_memory_bytes};
  output.usage.oom_kills = trailer.oom_kills;
  output.timings.spawn = to_us(trailer.spawn_ns);
  output.timings.run = to_us(trailer.run_ns);
  output.timings.cleanup = to_us(trailer.cleanup_ns);
  for (std::size_t i = 0; i < protocol::kSeccompRules; ++i) {
    if (trailer.denials[i] == 0) continue;
    output.denials.push_back(
        {std::string(protocol::to_string(static_cast<protocol::SeccompRule>(i))), trailer.denials[i]});
  }
  if (trailer.trap != protocol::Trap::none && !trailer.subject.empty()) {
    output.warnings.push_back("the engine says: " + base::printable(trailer.subject));
  }
  output.leftovers = {trailer.leftovers_killed, trailer.leftovers_alive};
  if (trailer.leftovers_alive > 0) {
    output.warnings.push_back(std::to_string(trailer.leftovers_alive) +
                              " processes of the command could not be ended and may still run");
  }
}

}  // namespace prx::core
