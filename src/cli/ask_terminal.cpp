#include "cli/ask_terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "base/fd.hpp"
#include "base/printable.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::size_t kMaxShown = 2000;

std::string question_about(const SupervisedCall& call) {
  std::string text = fmt::format("prx: supervised: {} wants to run\n  {}\n", base::printable(call.tool),
                                 base::printable(call.command.substr(0, kMaxShown)));
  if (call.command.size() > kMaxShown)
    text += fmt::format("  ... and {} bytes more\n", call.command.size() - kMaxShown);
  if (!call.arguments.empty()) text += "  " + base::printable(call.arguments.substr(0, kMaxShown)) + "\n";
  text += fmt::format("  {}{}\n", base::printable(call.rule),
                      call.reason.empty() ? "" : ": " + base::printable(call.reason));
  return text + fmt::format("prx: allow it? [y/N, {} s] ", call.time_left.count() / 1000);
}

/// A line, without what was typed before the question was there. Empty: none in time.
std::string answer_from(int terminal, std::chrono::steady_clock::time_point deadline) {
  std::string line;
  while (line.find('\n') == std::string::npos && line.size() < 64) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return {};
    pollfd ready{terminal, POLLIN, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 3'600'000)));
    if (count < 0 && errno != EINTR) return {};
    if (count <= 0) continue;
    char piece[64];
    const ssize_t size = ::read(terminal, piece, sizeof piece);
    if (size <= 0) return {};
    line.append(piece, static_cast<std::size_t>(size));
  }
  return line;
}

}  // namespace

void ask_terminal(const SupervisedCall& call, SupervisedAnswer answer) {
  static std::mutex one_at_a_time;
  const auto deadline = std::chrono::steady_clock::now() + call.time_left;
  const std::scoped_lock lock(one_at_a_time);
  const base::Fd terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal.is_open()) return answer.deny();
  ::tcflush(terminal.get(), TCIFLUSH);
  write_all(terminal.get(), question_about(call));
  const auto line = answer_from(terminal.get(), deadline);
  if (line.empty()) write_all(terminal.get(), "\nprx: no answer: denied\n");
  line == "y\n" || line == "Y\n" || line == "yes\n" ? answer.allow() : answer.deny();
}

}  // namespace prx::cli
