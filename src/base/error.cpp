#include <prx/error.hpp>

#include <array>
#include <cstring>

#include "base/errno_text.hpp"

namespace prx {

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_request:
      return "invalid_request";
    case ErrorKind::denied:
      return "denied";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::not_executable:
      return "not_executable";
    case ErrorKind::unavailable:
      return "unavailable";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::exhausted:
      return "exhausted";
    case ErrorKind::disconnected:
      return "disconnected";
    case ErrorKind::setup_failed:
      return "setup_failed";
    case ErrorKind::internal:
      return "internal";
  }
  return "internal";
}

std::string Error::message() const {
  std::string text;
  const auto append = [&text](std::string_view part, std::string_view separator) {
    if (part.empty()) return;
    if (!text.empty()) text += separator;
    text += part;
  };
  append(step, "");
  append(subject, ": ");
  append(detail, ": ");
  if (os_errno != 0) {
    if (detail.empty()) {
      append(base::errno_text(os_errno), ": ");
    } else {
      text += " (" + base::errno_text(os_errno) + ")";
    }
  }
  if (text.empty()) text = to_string(kind);
  return text;
}

namespace base {
std::string errno_text(int error_number) {
  std::array<char, 128> buffer{};
  // The GNU variant: returns the text, which need not be in the buffer.
  return strerror_r(error_number, buffer.data(), buffer.size());
}
}  // namespace base

}  // namespace prx
