#include "base/blake2b.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace prx::base {
namespace {

constexpr std::array<std::uint64_t, 8> kStart{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                              0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                              0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

constexpr std::uint8_t kOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

constexpr std::size_t kRounds = 12;

std::uint64_t load(const std::byte* from) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
  return word;
}

void mix(std::array<std::uint64_t, 16>& v, std::size_t a, std::size_t b, std::size_t c, std::size_t d,
         std::uint64_t x, std::uint64_t y) {
  v[a] += v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 32);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 24);
  v[a] += v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 63);
}

}  // namespace

Blake2b::Blake2b(std::span<const std::byte> key) : state_(kStart) {
  state_[0] ^= 0x01010000 ^ (std::uint64_t{key.size()} << 8U) ^ kSize;
  if (key.empty()) return;
  std::copy(key.begin(), key.end(), block_.begin());
  filled_ = kBlock;
}

void Blake2b::compress(bool last) {
  std::array<std::uint64_t, 16> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = load(block_.data() + 8 * i);
  std::array<std::uint64_t, 16> v;
  std::copy(state_.begin(), state_.end(), v.begin());
  std::copy(kStart.begin(), kStart.end(), v.begin() + 8);
  v[12] ^= count_;
  if (last) v[14] = ~v[14];
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto& order = kOrder[round % 10];
    for (std::size_t i = 0; i < 4; ++i) {
      mix(v, i, i + 4, i + 8, i + 12, words[order[2 * i]], words[order[2 * i + 1]]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, words[order[8 + 2 * i]],
          words[order[9 + 2 * i]]);
    }
  }
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] ^= v[i] ^ v[i + 8];
}

void Blake2b::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // A full block waits until more comes: the last one is treated in another way.
    if (filled_ == kBlock) {
      count_ += kBlock;
      compress(false);
      filled_ = 0;
    }
    const auto part = std::min(kBlock - filled_, bytes.size());
    std::memcpy(block_.data() + filled_, bytes.data(), part);
    filled_ += part;
    bytes = bytes.subspan(part);
  }
}

Blake2b::Digest Blake2b::finish() {
  count_ += filled_;
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled_), block_.end(), std::byte{0});
  compress(true);
  Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::byte>(state_[i / 8] >> (8 * (i % 8)));
  }
  return digest;
}

bool is_same(const Blake2b::Digest& a, const Blake2b::Digest& b) noexcept {
  std::byte difference{0};
  for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == std::byte{0};
}

std::string to_hex(const Blake2b::Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const auto byte : digest) {
    const auto value = std::to_integer<unsigned>(byte);
    text += kDigits[value >> 4U];
    text += kDigits[value & 15U];
  }
  return text;
}

}  // namespace prx::base
