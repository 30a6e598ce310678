#pragma once

#include <cstdint>
#include <optional>

#include "init/execution.hpp"
#include "init/memory_scan.hpp"

namespace prx::init {

/// Holds a running tree to what no kernel limit holds the whole of it to. Looks at it only when it could have
/// used up what it may: a command that ends before that costs nothing.
class UsageWatch {
 public:
  enum class Finding : std::uint8_t { within, memory, cpu_time };

  /// From now on; `confined` outlives this.
  void start(const Confined& confined, bool terminal);
  /// When to look, by the monotonic clock; 0: never.
  [[nodiscard]] std::uint64_t next_look_ns() const;
  /// Looks, if it is time.
  [[nodiscard]] Finding look();

 private:
  [[nodiscard]] std::uint64_t cpu_us() const;

  const Confined* confined_ = nullptr;
  protocol::PlannedWatch limits_;
  std::uint64_t cpu_at_start_us_ = 0;
  std::uint64_t next_memory_ns_ = 0;
  std::uint64_t next_cpu_ns_ = 0;
  std::optional<MemoryScan> scan_;
};

}  // namespace prx::init
