// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace prx::protocol {

/// The slot protocol: frames of `version, type, channel, flags, length` and a payload, over one byte stream,
/// between the host and the prx-init of a slot. Integers are little-endian.
inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::size_t kHeaderSize = 8;
inline constexpr std::uint32_t kMaxPayload = 64U << 10U;
/// A request may span several frames; argv and envp of the kernel's own limit (2 MiB with an 8 MiB stack)
/// fit four times.
inline constexpr std::uint32_t kMaxRequest = 8U << 20U;
/// What a side may send on one channel before the other has granted more.
inline constexpr std::uint32_t kInitialCredit = 256U << 10U;

enum class FrameType : std::uint8_t {
  // both ways
  data = 1,    ///< bytes of a channel; only within the channel's credit
  end = 2,     ///< end of a channel, at most once; from its reader: it takes no more
  credit = 3,  ///< u32: that many bytes more may be sent on the channel
  // host to slot
  request = 16,  ///< a part of the request; flag kMore on all but the last
  signal = 17,   ///< u32 signal number, to the whole tree
  cancel = 18,   ///< u32 signal number: end the tree
  resize = 19,   ///< u16 rows, u16 columns
  // slot to host
  hello = 32,     ///< u32 pid; a local slot attaches its pidfd
  terminal = 33,  ///< a local slot attaches the pty's master
  trailer = 34,   ///< how it ended; the last frame
};

enum class ChannelId : std::uint8_t { control = 0, in = 1, out = 2, err = 3 };
inline constexpr std::size_t kChannels = 4;

inline constexpr std::uint8_t kMore = 1;

struct FrameHeader {
  FrameType type = FrameType::data;
  ChannelId channel = ChannelId::control;
  std::uint8_t flags = 0;
  std::uint32_t length = 0;
};

void encode_header(const FrameHeader& header, std::span<std::byte, kHeaderSize> to) noexcept;

/// False for another version, an unknown type or channel, unknown flags, or a length over kMaxPayload.
[[nodiscard]] bool decode_header(std::span<const std::byte, kHeaderSize> from, FrameHeader& header) noexcept;

}  // namespace prx::protocol
