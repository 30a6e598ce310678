// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace prx::protocol {

/// A remote slot's trailer is sealed with a key that came with its request: what the command itself writes into
/// the stream, should it find a way to, is then no trailer.
inline constexpr std::size_t kSealKeySize = 16;
inline constexpr std::size_t kSealSize = 8;

/// SipHash-2-4 (Aumasson, Bernstein 2012): a message authentication code for short messages. 64 bits are
/// enough, since the first wrong seal destroys the slot.
class SipHash {
 public:
  explicit SipHash(std::span<const std::byte, kSealKeySize> key) noexcept {
    const auto k0 = load(key.data(), 8);
    const auto k1 = load(key.data() + 8, 8);
    v_[0] = k0 ^ 0x736f6d6570736575U;
    v_[1] = k1 ^ 0x646f72616e646f6dU;
    v_[2] = k0 ^ 0x6c7967656e657261U;
    v_[3] = k1 ^ 0x7465646279746573U;
  }

  [[nodiscard]] std::uint64_t of(std::span<const std::byte> message) noexcept {
    const auto tail = message.size() % 8;
    for (std::size_t at = 0; at + 8 <= message.size(); at += 8) absorb(load(message.data() + at, 8));
    const auto rest = tail == 0 ? 0 : load(message.data() + message.size() - tail, tail);
    absorb(rest | static_cast<std::uint64_t>(message.size()) << 56U);
    v_[2] ^= 0xffU;
    for (int i = 0; i < 4; ++i) round();
    return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
  }

 private:
  static std::uint64_t load(const std::byte* from, std::size_t size) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(from[i]) << (8U * i);
    return value;
  }

  void absorb(std::uint64_t word) noexcept {
    v_[3] ^= word;
    round();
    round();
    v_[0] ^= word;
  }

  void round() noexcept {
    v_[0] += v_[1];
    v_[2] += v_[3];
    v_[1] = std::rotl(v_[1], 13) ^ v_[0];
    v_[3] = std::rotl(v_[3], 16) ^ v_[2];
    v_[0] = std::rotl(v_[0], 32);
    v_[2] += v_[1];
    v_[0] += v_[3];
    v_[1] = std::rotl(v_[1], 17) ^ v_[2];
    v_[3] = std::rotl(v_[3], 21) ^ v_[0];
    v_[2] = std::rotl(v_[2], 32);
  }

  std::uint64_t v_[4] = {};
};

[[nodiscard]] inline std::uint64_t seal_of(std::span<const std::byte, kSealKeySize> key,
                                           std::span<const std::byte> message) noexcept {
  return SipHash(key).of(message);
}

}  // namespace prx::protocol
