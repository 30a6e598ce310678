#pragma once

#include <string>
#include <string_view>

#include <prx/error.hpp>
#include <prx/result.hpp>

namespace prx::cli {

/// Writes all of it; false when the reader is gone or the device is full. No buffering, no iostream.
bool write_all(int fd, std::string_view text) noexcept;

/// "prx: step: subject: what", and "hint: …" on a second line. Neither this nor a warning passes on control
/// characters: a name that an agent made up must not move the cursor of whoever reads the message.
void print_error(const Error& error);
/// "prx: warning: …"
void print_warning(std::string_view text);
/// "prx: …"
void print_note(std::string_view text);

/// An error of the command line itself.
[[nodiscard]] Error usage_error(std::string subject, std::string detail, std::string hint);

/// Of a write to `subject` ("stdout") that failed.
[[nodiscard]] Error write_error(std::string subject, int error_number);

/// Prints what a program reads. A reader that has gone is no error.
[[nodiscard]] Result<void> print_object(std::string_view text);

/// Prints `text` on stdout; an exit status of 0, or kPrxFailed when it cannot be written.
[[nodiscard]] int print_result(std::string_view text);

/// `word` as one word of a POSIX shell.
[[nodiscard]] std::string shell_quoted(std::string_view word);

}  // namespace prx::cli
