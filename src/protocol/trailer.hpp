// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/seccomp_rules.hpp"
#include "protocol/trap.hpp"

namespace prx::protocol {

/// The steps of a start inside the slot, as they appear in Error::step.
enum class Step : std::uint8_t {
  none,
  request,
  stdio,
  terminal,
  chdir,
  fork,
  session,
  exec,
  interpreter,
  slot,
  plan,      ///< the confinement of the slot was not understood
  network,   ///< a network namespace of its own
  mount,     ///< subject: the place in the slot's tree
  identity,  ///< ids and capabilities
  landlock,  ///< subject: the path, where there is one
  seccomp,
  limits,    ///< subject: the file or resource
  launcher,  ///< subject: the program
  engine,    ///< a WebAssembly engine could not take the program up; subject: why
};
[[nodiscard]] std::string_view to_string(Step step) noexcept;

/// Why the command ended.
enum class Cause : std::uint8_t {
  itself,         ///< wait_status says how
  timed_out,      ///< the deadline of the request
  cancelled,      ///< a cancel frame
  setup_failed,   ///< it never ran: step, error and subject say why
  out_of_memory,  ///< the watch of prx-init: a kernel's limit shows in oom_kills
  cpu_time,       ///< the tree's, or the main process's own
};

/// The last frame of a slot. Times are durations.
struct Trailer {
  Cause cause = Cause::itself;
  std::int32_t wait_status = 0;
  Step step = Step::none;
  std::int32_t error = 0;
  std::uint32_t cancel_signal = 0;
  std::uint64_t user_us = 0;
  std::uint64_t system_us = 0;
  std::uint64_t max_rss_bytes = 0;
  std::uint64_t peak_memory_bytes =
      0;                        ///< of the slot's memory group; 0 where there is none, or it does not tell
  std::uint32_t oom_kills = 0;  ///< processes that the group's limit has ended
  std::uint32_t leftovers_killed = 0;
  std::uint32_t leftovers_alive = 0;
  std::uint64_t spawn_ns = 0;                 ///< request read until the program was executing
  std::uint64_t run_ns = 0;                   ///< until the main process had ended
  std::uint64_t cleanup_ns = 0;               ///< until nothing of it was left
  std::uint64_t dropped[2] = {0, 0};          ///< bytes of out, err that could not be sent (remote slots)
  std::uint32_t denials[kSeccompRules] = {};  ///< calls that the filter denied, by rule; a saturating count
  Trap trap = Trap::none;                     ///< itself: an engine stopped it
  std::string_view subject;  ///< setup_failed: what the step worked on; a trap: the engine's text
};

inline constexpr std::size_t kMaxTrailerSubject = 4096;
/// What encode_trailer() writes at most.
inline constexpr std::size_t kMaxTrailer = kMaxTrailerSubject + 128 + 4 * kSeccompRules;

/// Returns the number of bytes written; `to` must hold kMaxTrailer. A longer subject is cut.
std::size_t encode_trailer(const Trailer& trailer, std::span<std::byte> to) noexcept;

/// The subject points into `from`. False when it is not exactly one well-formed trailer.
[[nodiscard]] bool decode_trailer(std::span<const std::byte> from, Trailer& trailer) noexcept;

}  // namespace prx::protocol
