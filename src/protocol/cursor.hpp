// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace prx::protocol {

/// Reads little-endian values from a span. Reading past the end gives zeros and makes ok() false for good.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
  /// Everything was read and nothing was missing.
  [[nodiscard]] bool finished() const noexcept { return ok_ && left() == 0; }

  std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(integer(1)); }
  std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(integer(2)); }
  std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t u64() noexcept { return integer(8); }

  /// A string as Writer::string() writes it: length, bytes, NUL. The view's data() is NUL-terminated and
  /// the bytes hold no other NUL.
  std::string_view string() noexcept {
    const std::size_t length = u32();
    if (!ok_ || length >= left()) return fail();
    const auto* text = reinterpret_cast<const char*>(bytes_.data() + at_);
    for (std::size_t i = 0; i < length; ++i) {
      if (text[i] == '\0') return fail();
    }
    if (text[length] != '\0') return fail();
    at_ += length + 1;
    return {text, length};
  }

  /// A length and that many bytes, of any value.
  std::span<const std::byte> bytes() noexcept {
    const std::size_t length = u32();
    if (!ok_ || length > left()) {
      fail();
      return {};
    }
    at_ += length;
    return bytes_.subspan(at_ - length, length);
  }

 private:
  std::uint64_t integer(std::size_t size) noexcept {
    if (left() < size) {
      fail();
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      value |= std::to_integer<std::uint64_t>(bytes_[at_ + i]) << (8U * i);
    }
    at_ += size;
    return value;
  }

  std::string_view fail() noexcept {
    ok_ = false;
    at_ = bytes_.size();
    return "";
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Writes little-endian values into a span. What does not fit makes ok() false and is not written.
class Writer {
 public:
  explicit Writer(std::span<std::byte> to) noexcept : to_(to) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::size_t size() const noexcept { return at_; }
  [[nodiscard]] std::span<const std::byte> written() const noexcept { return to_.first(at_); }

  void u8(std::uint8_t value) noexcept { integer(value, 1); }
  void u16(std::uint16_t value) noexcept { integer(value, 2); }
  void u32(std::uint32_t value) noexcept { integer(value, 4); }
  void u64(std::uint64_t value) noexcept { integer(value, 8); }

  void string(std::string_view text) noexcept {
    if (to_.size() - at_ < text.size() + 5) {
      ok_ = false;
      return;
    }
    u32(static_cast<std::uint32_t>(text.size()));
    for (const char c : text) to_[at_++] = static_cast<std::byte>(c);
    to_[at_++] = std::byte{0};
  }

 private:
  void integer(std::uint64_t value, std::size_t size) noexcept {
    if (to_.size() - at_ < size) {
      ok_ = false;
      return;
    }
    for (std::size_t i = 0; i < size; ++i) to_[at_++] = static_cast<std::byte>((value >> (8U * i)) & 0xFFU);
  }

  std::span<std::byte> to_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace prx::protocol
