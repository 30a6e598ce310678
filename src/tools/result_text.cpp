#include "tools/result_text.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/utf8.hpp"

namespace prx::tools {
namespace {

/// The first and the last of it, as CapturedStream has them.
CapturedStream cut_to(const CapturedStream& stream, std::size_t most) {
  if (stream.bytes.size() <= most) return stream;
  const std::size_t half = most / 2;
  const std::size_t head = stream.truncated() ? std::min(stream.gap_at, half) : half;
  CapturedStream cut;
  cut.bytes = stream.bytes.substr(0, head) + stream.bytes.substr(stream.bytes.size() - half);
  cut.gap_at = head;
  cut.total_bytes = stream.total_bytes;
  cut.omitted = stream.total_bytes - cut.bytes.size();
  return cut;
}

void append_line(std::string& text, std::string_view line) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += line;
}

std::string shown_text(const ExecutionOutput& output) {
  const auto out = cut_to(output.out, kMaxShown);
  const auto err = cut_to(output.err, kMaxShown);
  std::string text = out.text();
  if (!err.bytes.empty()) {
    append_line(text, "[stderr]\n");
    text += err.text();
  }
  if (out.truncated() || err.truncated()) {
    append_line(text,
                "[to read all of it: send the output to a file in the workspace, and read parts of that]");
  }
  return text;
}

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

std::string ending_text(const Ending& ending) {
  return std::visit(
      base::Overloaded{
          [](const Exited& e) { return e.code == 0 ? std::string() : fmt::format("exit code {}", e.code); },
          [](const Signaled& e) { return fmt::format("ended by signal {}", e.signal); },
          [](const TimedOut& e) {
            return "timed out after " + seconds_text(e.limit) + "; everything it had started was ended";
          },
          [](const OutOfMemory& e) {
            return fmt::format("out of memory: {} bytes are allowed", e.limit.value);
          },
          [](const Cancelled& e) { return fmt::format("cancelled with signal {}", e.signal); },
          [](const OutputLimit& e) { return fmt::format("more than {} bytes of output", e.limit.value); },
          [](const Violated& e) { return "ended for breaking a rule of the sandbox: " + e.rule; },
          [](const Trapped& e) { return "the module trapped: " + e.trap; },
      },
      ending);
}

}  // namespace

ToolResult result_of(ExecutionOutput output) {
  ToolResult result;
  result.error = ending_text(output.ending);
  result.success = result.error.empty();
  result.output = shown_text(output);
  for (const auto& violation : output.violations) {
    append_line(result.output, "[sandbox: " + base::to_utf8_lossy(violation.text) + "]");
  }
  if (output.leftovers.killed > 0) {
    append_line(result.output,
                fmt::format("[{} processes that it left running were ended]", output.leftovers.killed));
  }
  if (!result.success) append_line(result.output, "[" + result.error + "]");
  result.execution = std::move(output);
  return result;
}

ToolResult result_of(Error error) {
  ToolResult result;
  result.error = base::to_utf8_lossy(error.message());
  result.output = "[not run: " + result.error + "]";
  if (!error.hint.empty()) result.output += "\n[hint: " + base::to_utf8_lossy(error.hint) + "]";
  result.failure = std::move(error);
  return result;
}

}  // namespace prx::tools
