#include "cli/text_out.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "cli/command.hpp"

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
  std::string text = "prx: " + error.message() + "\n";
  if (!error.hint.empty()) text += "hint: " + error.hint + "\n";
  write_all(STDERR_FILENO, text);
}

void print_warning(std::string_view text) {
  write_all(STDERR_FILENO, "prx: warning: " + std::string(text) + "\n");
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

int print_result(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return 0;
  if (errno == EPIPE) return kPrxFailed;  // the reader has seen enough: nothing to say about it
  print_error({.kind = ErrorKind::setup_failed, .step = "write", .subject = "stdout", .os_errno = errno});
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
