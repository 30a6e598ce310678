// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <time.h>

#include <cstdint>

#include "os/raw_syscall.hpp"

namespace prx::os {

inline constexpr std::uint64_t kNsPerMs = 1'000'000;
inline constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

inline std::uint64_t monotonic_ns() noexcept {
  timespec now{};
  raw_syscall(__NR_clock_gettime, CLOCK_MONOTONIC, as_arg(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * kNsPerSecond + static_cast<std::uint64_t>(now.tv_nsec);
}

inline timespec to_timespec(std::uint64_t ns) noexcept {
  return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

/// Of two moments, where 0 is never.
[[nodiscard]] inline std::uint64_t earlier(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return a + b;
  return a < b ? a : b;
}

}  // namespace prx::os
