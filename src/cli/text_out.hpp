#pragma once

#include <string>
#include <string_view>

#include <prx/error.hpp>

namespace prx::cli {

/// Writes all of it; false when the reader is gone or the device is full. No buffering, no iostream.
bool write_all(int fd, std::string_view text) noexcept;

/// "prx: step: subject: what", and "hint: …" on a second line.
void print_error(const Error& error);
/// "prx: warning: …"
void print_warning(std::string_view text);
/// "prx: …"
void print_note(std::string_view text);

/// An error of the command line itself.
[[nodiscard]] Error usage_error(std::string subject, std::string detail, std::string hint);

/// Prints `text` on stdout; an exit status of 0, or kPrxFailed when it cannot be written.
[[nodiscard]] int print_result(std::string_view text);

/// `word` as one word of a POSIX shell.
[[nodiscard]] std::string shell_quoted(std::string_view word);

}  // namespace prx::cli
