#include "cli/report.hpp"

#include <fcntl.h>

#include <cerrno>
#include <charconv>
#include <optional>

#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::string_view kDescriptorPrefix = "fd:";
constexpr mode_t kFileMode = 0666;  // what the umask leaves of it

std::optional<int> try_descriptor(std::string_view digits) {
  int fd = -1;
  const char* end = digits.data() + digits.size();
  const auto [rest, failed] = std::from_chars(digits.data(), end, fd);
  if (failed != std::errc{} || rest != end || fd < 0) return std::nullopt;
  return fd;
}

/// A duplicate that the command does not inherit; -1 and errno where `fd` is not open for writing.
int writable_duplicate(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    return -1;
  }
  return flags < 0 ? -1 : ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

}  // namespace

Result<Report> Report::open(const std::string& target) {
  Report report;
  report.target_ = target;
  if (target.starts_with(kDescriptorPrefix)) {
    const auto fd = try_descriptor(std::string_view(target).substr(kDescriptorPrefix.size()));
    if (!fd) return usage_error("--report " + target, "not a descriptor", "write fd:3, or a file name");
    report.fd_ = base::Fd(writable_duplicate(*fd));
  } else {
    report.fd_ = base::Fd(::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
  }
  if (report.fd_.is_open()) return report;
  return Error{.kind = ErrorKind::setup_failed,
               .step = "report",
               .subject = target,
               .os_errno = errno,
               .detail = "cannot be opened for writing",
               .hint = "name a file in a folder that exists, or fd:N with an open descriptor"};
}

Result<void> Report::write(std::string_view text) const {
  if (write_all(fd_.get(), text)) return {};
  return Error{.kind = ErrorKind::setup_failed,
               .step = "report",
               .subject = target_,
               .os_errno = errno,
               .detail = "cannot be written"};
}

}  // namespace prx::cli
