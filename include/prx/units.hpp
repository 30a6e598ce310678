#pragma once

#include <compare>
#include <cstdint>

namespace prx {

/// A number of bytes. The unit is in the type, not in the name.
struct Bytes {
  std::uint64_t value = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
  return {n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return {n << 10U};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return {n << 20U};
}
}  // namespace literals

}  // namespace prx
