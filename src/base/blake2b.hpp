#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace prx::base {

/// BLAKE2b (RFC 7693) with 32 bytes of result: a hash, or with a key a message authentication code.
class Blake2b {
 public:
  static constexpr std::size_t kSize = 32;
  using Digest = std::array<std::byte, kSize>;

  /// `key`: at most 64 bytes; empty: a plain hash.
  explicit Blake2b(std::span<const std::byte> key = {});

  void add(std::span<const std::byte> bytes);
  /// Once, last.
  [[nodiscard]] Digest finish();

 private:
  static constexpr std::size_t kBlock = 128;

  void compress(bool last);

  std::array<std::uint64_t, 8> state_;
  std::array<std::byte, kBlock> block_{};
  std::size_t filled_ = 0;
  std::uint64_t count_ = 0;
};

/// In constant time: how far two of them agree is nobody's business.
[[nodiscard]] bool is_same(const Blake2b::Digest& a, const Blake2b::Digest& b) noexcept;
[[nodiscard]] std::string to_hex(const Blake2b::Digest& digest);

}  // namespace prx::base
