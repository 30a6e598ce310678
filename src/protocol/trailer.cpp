#include "protocol/trailer.hpp"

#include "protocol/cursor.hpp"

namespace prx::protocol {

std::string_view to_string(Step step) noexcept {
  switch (step) {
    case Step::none:
      return "none";
    case Step::request:
      return "request";
    case Step::stdio:
      return "stdio";
    case Step::terminal:
      return "terminal";
    case Step::chdir:
      return "chdir";
    case Step::fork:
      return "fork";
    case Step::session:
      return "session";
    case Step::exec:
      return "exec";
    case Step::interpreter:
      return "interpreter";
    case Step::slot:
      return "slot";
    case Step::plan:
      return "plan";
    case Step::network:
      return "network";
    case Step::mount:
      return "mount";
    case Step::identity:
      return "identity";
    case Step::landlock:
      return "landlock";
    case Step::seccomp:
      return "seccomp";
    case Step::limits:
      return "limits";
    case Step::launcher:
      return "launcher";
    case Step::engine:
      return "engine";
  }
  return "unknown";
}

std::size_t encode_trailer(const Trailer& trailer, std::span<std::byte> to) noexcept {
  Writer writer(to);
  writer.u8(static_cast<std::uint8_t>(trailer.cause));
  writer.u32(static_cast<std::uint32_t>(trailer.wait_status));
  writer.u8(static_cast<std::uint8_t>(trailer.step));
  writer.u32(static_cast<std::uint32_t>(trailer.error));
  writer.u32(trailer.cancel_signal);
  writer.u64(trailer.user_us);
  writer.u64(trailer.system_us);
  writer.u64(trailer.max_rss_bytes);
  writer.u64(trailer.peak_memory_bytes);
  writer.u32(trailer.oom_kills);
  writer.u32(trailer.leftovers_killed);
  writer.u32(trailer.leftovers_alive);
  writer.u64(trailer.spawn_ns);
  writer.u64(trailer.run_ns);
  writer.u64(trailer.cleanup_ns);
  writer.u64(trailer.dropped[0]);
  writer.u64(trailer.dropped[1]);
  for (const auto count : trailer.denials) writer.u32(count);
  writer.u8(static_cast<std::uint8_t>(trailer.trap));
  const auto length =
      trailer.subject.size() < kMaxTrailerSubject ? trailer.subject.size() : kMaxTrailerSubject;
  writer.string({trailer.subject.data(), length});
  return writer.size();
}

bool decode_trailer(std::span<const std::byte> from, Trailer& trailer) noexcept {
  Reader reader(from);
  trailer.cause = static_cast<Cause>(reader.u8());
  trailer.wait_status = static_cast<std::int32_t>(reader.u32());
  trailer.step = static_cast<Step>(reader.u8());
  trailer.error = static_cast<std::int32_t>(reader.u32());
  trailer.cancel_signal = reader.u32();
  trailer.user_us = reader.u64();
  trailer.system_us = reader.u64();
  trailer.max_rss_bytes = reader.u64();
  trailer.peak_memory_bytes = reader.u64();
  trailer.oom_kills = reader.u32();
  trailer.leftovers_killed = reader.u32();
  trailer.leftovers_alive = reader.u32();
  trailer.spawn_ns = reader.u64();
  trailer.run_ns = reader.u64();
  trailer.cleanup_ns = reader.u64();
  trailer.dropped[0] = reader.u64();
  trailer.dropped[1] = reader.u64();
  for (auto& count : trailer.denials) count = reader.u32();
  trailer.trap = static_cast<Trap>(reader.u8());
  trailer.subject = reader.string();
  const bool failed = trailer.cause == Cause::setup_failed;
  return reader.finished() && trailer.cause <= Cause::cpu_time && trailer.step <= Step::engine &&
         trailer.trap <= Trap::other && failed == (trailer.step != Step::none) &&
         trailer.subject.size() <= kMaxTrailerSubject;
}

}  // namespace prx::protocol
