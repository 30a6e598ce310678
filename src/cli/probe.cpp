#include "cli/probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "base/errno_text.hpp"
#include "base/fd.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kProbeTime{2000};
constexpr char kFieldEnd = '\0';

/// A check on its way through the pipe: state, found, remedy.
std::string encoded(const Check& check) {
  const std::string state(1, static_cast<char>('0' + static_cast<int>(check.state)));
  return state + check.found + kFieldEnd + check.remedy + kFieldEnd;
}

bool decode(const std::string& text, Check& check) {
  const auto found_end = text.find(kFieldEnd);
  if (found_end == std::string::npos || text.back() != kFieldEnd) return false;
  check.state = static_cast<CheckState>(text.front() - '0');
  check.found = text.substr(1, found_end - 1);
  check.remedy = text.substr(found_end + 1, text.size() - found_end - 2);
  return true;
}

[[noreturn]] void run_in_child(const std::function<Check()>& probe, int result_fd) {
  ::setpgid(0, 0);  // so that what the probe starts can be ended with it
  write_all(result_fd, encoded(probe()));
  ::_exit(0);
}

/// Everything up to end of file; false when the time is up before that.
bool read_until(int fd, Clock::time_point deadline, std::string& text) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd readable{fd, POLLIN, 0};
    const int ready = ::poll(&readable, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready == 0) return false;
    if (ready < 0) continue;  // EINTR
    const ssize_t size = ::read(fd, buffer.data(), buffer.size());
    if (size == 0) return true;
    if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

Check failed_check(const std::string& name, std::string found) {
  Check check = Check::missing(std::move(found), "");
  check.name = name;
  return check;
}

}  // namespace

Check Check::good(std::string found) {
  return {.name = {}, .state = CheckState::good, .found = std::move(found), .remedy = {}};
}

Check Check::limited(std::string found, std::string remedy) {
  return {.name = {}, .state = CheckState::limited, .found = std::move(found), .remedy = std::move(remedy)};
}

Check Check::missing(std::string found, std::string remedy) {
  return {.name = {}, .state = CheckState::missing, .found = std::move(found), .remedy = std::move(remedy)};
}

std::string_view to_string(CheckState state) noexcept {
  switch (state) {
    case CheckState::good:
      return "ok";
    case CheckState::limited:
      return "limited";
    case CheckState::missing:
      return "missing";
  }
  return "missing";
}

Check run_bounded(const std::string& name, const std::function<Check()>& probe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed_check(name, "pipe: " + base::errno_text(errno));
  const base::Fd reader(ends[0]);
  base::Fd writer(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return failed_check(name, "fork: " + base::errno_text(errno));
  if (child == 0) run_in_child(probe, writer.get());
  writer.reset();

  std::string text;
  const bool answered = read_until(reader.get(), Clock::now() + kProbeTime, text);
  if (!answered) {
    // Not waited for: a process stuck in the kernel does not even die of this before it gets out.
    ::kill(-child, SIGKILL);
    ::kill(child, SIGKILL);
    return failed_check(name, "no answer within 2 s");
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Check check{.name = name, .found = {}, .remedy = {}};
  if (decode(text, check)) return check;
  return failed_check(name, "the probe crashed");
}

}  // namespace prx::cli
