#include "cli/text_out.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "os/pipe.hpp"

namespace prx::cli {
namespace {

constexpr std::string_view kPlainCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%";

}  // namespace

bool write_all(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      // Someone else made this description non-blocking; it is not ours to change.
      pollfd waiting{fd, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void print_error(const Error& error) {
  std::string text = "prx: " + base::printable(error.message()) + "\n";
  if (!error.hint.empty()) text += "hint: " + base::printable(error.hint) + "\n";
  write_all(STDERR_FILENO, text);
}

void print_warning(std::string_view text) {
  write_all(STDERR_FILENO, "prx: warning: " + base::printable(text) + "\n");
}

void print_note(std::string_view text) {
  write_all(STDERR_FILENO, "prx: " + std::string(text) + "\n");
}

Error usage_error(std::string subject, std::string detail, std::string hint) {
  return {.kind = ErrorKind::invalid_request,
          .step = "options",
          .subject = std::move(subject),
          .detail = std::move(detail),
          .hint = std::move(hint)};
}

Error write_error(std::string subject, int error_number) {
  auto error = os::system_error("write", error_number);
  error.subject = std::move(subject);
  error.detail = "not everything could be written";
  return error;
}

Result<void> print_object(std::string_view text) {
  // A reader that has gone has seen enough: nothing to say about it.
  if (write_all(STDOUT_FILENO, text) || errno == EPIPE) return {};
  return write_error("stdout", errno);
}

int print_result(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return 0;
  if (errno != EPIPE) print_error(write_error("stdout", errno));
  return kPrxFailed;
}

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kPlainCharacters) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace prx::cli
