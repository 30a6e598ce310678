// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace prx::protocol {

/// Why an engine stopped a WebAssembly program. The names are stable: outputs and messages carry them.
enum class Trap : std::uint8_t {
  none,
  unreachable,  ///< its `unreachable` instruction: an abort, a panic
  memory_out_of_bounds,
  table_out_of_bounds,
  indirect_call,  ///< through an empty entry, or to a function of another type
  integer_overflow,
  division_by_zero,
  invalid_conversion,  ///< of a float that no integer can hold
  stack_overflow,
  other,
};
inline constexpr std::size_t kTraps = static_cast<std::size_t>(Trap::other) + 1;

[[nodiscard]] constexpr std::string_view to_string(Trap trap) noexcept {
  constexpr std::string_view kNames[kTraps] = {
      "none",
      "unreachable",
      "memory-out-of-bounds",
      "table-out-of-bounds",
      "indirect-call",
      "integer-overflow",
      "division-by-zero",
      "invalid-conversion",
      "stack-overflow",
      "other",
  };
  return static_cast<std::size_t>(trap) < kTraps ? kNames[static_cast<std::size_t>(trap)] : "other";
}

}  // namespace prx::protocol
