#include <prx/output.hpp>

#include <csignal>

#include "base/overloaded.hpp"
#include "base/utf8.hpp"

namespace prx {
namespace {
constexpr int kTimedOutCode = 124;
constexpr int kOutputLimitCode = 125;
constexpr int kSignalBase = 128;
}  // namespace

std::string_view to_string(const Ending& ending) noexcept {
  return std::visit(base::Overloaded{
                        [](const Exited&) { return "exited"; },
                        [](const Signaled&) { return "signaled"; },
                        [](const TimedOut&) { return "timed_out"; },
                        [](const OutOfMemory&) { return "out_of_memory"; },
                        [](const Cancelled&) { return "cancelled"; },
                        [](const OutputLimit&) { return "output_limit"; },
                        [](const Violated&) { return "violated"; },
                        [](const Trapped&) { return "trapped"; },
                    },
                    ending);
}

int exit_code_of(const Ending& ending) noexcept {
  return std::visit(base::Overloaded{
                        [](const Exited& e) { return e.code; },
                        [](const Signaled& e) { return kSignalBase + e.signal; },
                        [](const TimedOut&) { return kTimedOutCode; },
                        [](const OutOfMemory&) { return kSignalBase + SIGKILL; },
                        [](const Cancelled& e) { return kSignalBase + (e.signal == 0 ? SIGINT : e.signal); },
                        [](const OutputLimit&) { return kOutputLimitCode; },
                        [](const Violated&) { return kSignalBase + SIGSYS; },
                        [](const Trapped&) { return kSignalBase + SIGABRT; },
                    },
                    ending);
}

std::string CapturedStream::text() const {
  if (!truncated()) return base::to_utf8_lossy(bytes);
  std::string_view head = std::string_view(bytes).substr(0, gap_at);
  std::string_view tail = std::string_view(bytes).substr(gap_at);
  const auto cut_before = base::incomplete_suffix(head);
  const auto cut_after = base::continuation_prefix(tail);
  head.remove_suffix(cut_before);
  tail.remove_prefix(cut_after);
  std::string result = base::to_utf8_lossy(head);
  result += "\n[… " + std::to_string(omitted + cut_before + cut_after) + " bytes left out …]\n";
  result += base::to_utf8_lossy(tail);
  return result;
}

}  // namespace prx
