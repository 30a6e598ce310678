#include "cli/output_json.hpp"

#include <array>
#include <string>
#include <string_view>

#include "base/overloaded.hpp"
#include "base/utf8.hpp"

namespace prx::cli {
namespace {

constexpr std::string_view kBase64Letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    std::array<unsigned, 3> group{};
    const std::size_t count = std::min<std::size_t>(3, bytes.size());
    for (std::size_t i = 0; i < count; ++i) group.at(i) = static_cast<unsigned char>(bytes[i]);
    const unsigned bits = group[0] << 16U | group[1] << 8U | group[2];
    text += kBase64Letters[bits >> 18U & 63U];
    text += kBase64Letters[bits >> 12U & 63U];
    text += count > 1 ? kBase64Letters[bits >> 6U & 63U] : '=';
    text += count > 2 ? kBase64Letters[bits & 63U] : '=';
  }
  return text;
}

/// Whether the stream is text. Only the characters that the gap cut through are forgiven.
bool is_text(const CapturedStream& stream) {
  if (!stream.truncated()) return base::is_utf8(stream.bytes);
  std::string_view head = std::string_view(stream.bytes).substr(0, stream.gap_at);
  std::string_view tail = std::string_view(stream.bytes).substr(stream.gap_at);
  head.remove_suffix(base::incomplete_suffix(head));
  tail.remove_prefix(base::continuation_prefix(tail));
  return base::is_utf8(head) && base::is_utf8(tail);
}

void set_stream(io::Json& object, const std::string& name, const CapturedStream& stream) {
  const bool text = is_text(stream);
  object.set(name, text ? stream.text() : base64(stream.bytes));
  object.set(name + "_encoding", text ? "utf-8" : "base64");
  object.set(name + "_bytes", stream.total_bytes);
  object.set(name + "_truncated", stream.truncated());
}

io::Json ending_json(const Ending& ending) {
  io::Json object = io::Json::object();
  object.set("kind", to_string(ending));
  std::visit(base::Overloaded{
                 [&](const Exited& e) { object.set("code", e.code); },
                 [&](const Signaled& e) { object.set("signal", e.signal); },
                 [&](const TimedOut& e) { object.set("limit_ms", e.limit.count()); },
                 [&](const OutOfMemory& e) { object.set("limit_bytes", e.limit.value); },
                 [&](const Cancelled& e) { object.set("signal", e.signal); },
                 [&](const OutputLimit& e) { object.set("limit_bytes", e.limit.value); },
                 [&](const Violated& e) { object.set("rule", e.rule); },
                 [&](const Trapped& e) { object.set("trap", e.trap); },
             },
             ending);
  return object;
}

io::Json usage_json(const Usage& usage) {
  io::Json object = io::Json::object();
  object.set("user_cpu_ms", usage.user_cpu.count() / 1000);
  object.set("system_cpu_ms", usage.system_cpu.count() / 1000);
  object.set("max_rss_bytes", usage.max_rss.value);
  object.set("peak_memory_bytes", usage.peak_memory.value);
  object.set("oom_kills", usage.oom_kills);
  return object;
}

io::Json timings_json(const Timings& timings) {
  io::Json object = io::Json::object();
  object.set("slot", timings.slot.count());
  object.set("spawn", timings.spawn.count());
  object.set("run", timings.run.count());
  object.set("cleanup", timings.cleanup.count());
  object.set("drain", timings.drain.count());
  return object;
}

io::Json leftovers_json(const Leftovers& leftovers) {
  io::Json object = io::Json::object();
  object.set("killed", leftovers.killed);
  object.set("alive", leftovers.alive);
  return object;
}

io::Json list_json(const std::vector<std::string>& texts) {
  io::Json array = io::Json::array();
  for (const auto& text : texts) array.push(base::to_utf8_lossy(text));
  return array;
}

io::Json violations_json(const std::vector<Violation>& violations) {
  io::Json array = io::Json::array();
  for (const auto& violation : violations) {
    io::Json entry = io::Json::object();
    entry.set("subject", base::to_utf8_lossy(violation.subject)).set("rule", violation.rule);
    entry.set("text", base::to_utf8_lossy(violation.text));
    array.push(std::move(entry));
  }
  return array;
}

io::Json enforced_json(const std::vector<EnforcedLimit>& enforced) {
  io::Json object = io::Json::object();
  for (const auto& limit : enforced) object.set(limit.limit, limit.by);
  return object;
}

io::Json denials_json(const std::vector<Denial>& denials) {
  io::Json object = io::Json::object();
  for (const auto& denial : denials) object.set(denial.rule, denial.count);
  return object;
}

io::Json quarantined_json(const std::vector<Quarantined>& quarantined) {
  io::Json array = io::Json::array();
  for (const auto& entry : quarantined) {
    io::Json object = io::Json::object();
    object.set("path", base::to_utf8_lossy(entry.path));
    object.set("moved_to", base::to_utf8_lossy(entry.moved_to));
    array.push(std::move(object));
  }
  return array;
}

}  // namespace

io::Json output_json(const ExecutionOutput& output) {
  io::Json object = io::Json::object();
  set_stream(object, "stdout", output.out);
  set_stream(object, "stderr", output.err);
  object.set("exit_code", output.exit_code);
  object.set("duration_ms", output.duration.count() / 1000);
  object.set("ending", ending_json(output.ending));
  object.set("backend", output.backend);
  object.set("sandbox", output.sandbox);
  object.set("slot", output.slot == SlotKind::warm ? "warm" : "cold");
  object.set("unresponsive", output.unresponsive);
  object.set("usage", usage_json(output.usage));
  object.set("timings_us", timings_json(output.timings));
  object.set("leftovers", leftovers_json(output.leftovers));
  object.set("enforced", enforced_json(output.enforced));
  object.set("env_withheld", output.env_withheld);
  if (output.denials_observed) object.set("denials", denials_json(output.denials));
  object.set("quarantined", quarantined_json(output.quarantined));
  object.set("warnings", list_json(output.warnings));
  object.set("violations", violations_json(output.violations));
  return object;
}

io::Json failure_json(const Error& error) {
  io::Json inner = io::Json::object();
  inner.set("kind", to_string(error.kind));
  inner.set("step", error.step);
  // A path or an argument need not be UTF-8; JSON must be.
  inner.set("subject", base::to_utf8_lossy(error.subject));
  inner.set("errno", error.os_errno);
  inner.set("detail", base::to_utf8_lossy(error.detail));
  inner.set("hint", base::to_utf8_lossy(error.hint));
  return inner;
}

io::Json error_json(const Error& error) {
  io::Json object = io::Json::object();
  object.set("error", failure_json(error));
  return object;
}

}  // namespace prx::cli
