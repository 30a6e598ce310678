#include "protocol/frame.hpp"

#include "protocol/cursor.hpp"

namespace prx::protocol {
namespace {

bool is_known(FrameType type) {
  switch (type) {
    case FrameType::data:
    case FrameType::end:
    case FrameType::credit:
    case FrameType::request:
    case FrameType::signal:
    case FrameType::cancel:
    case FrameType::resize:
    case FrameType::hello:
    case FrameType::terminal:
    case FrameType::trailer:
      return true;
  }
  return false;
}

}  // namespace

void encode_header(const FrameHeader& header, std::span<std::byte, kHeaderSize> to) noexcept {
  Writer writer(to);
  writer.u8(kVersion);
  writer.u8(static_cast<std::uint8_t>(header.type));
  writer.u8(static_cast<std::uint8_t>(header.channel));
  writer.u8(header.flags);
  writer.u32(header.length);
}

bool decode_header(std::span<const std::byte, kHeaderSize> from, FrameHeader& header) noexcept {
  Reader reader(from);
  const auto version = reader.u8();
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): is_known() looks at it below.
  header.type = static_cast<FrameType>(reader.u8());
  const auto channel = reader.u8();
  header.channel = static_cast<ChannelId>(channel);
  header.flags = reader.u8();
  header.length = reader.u32();
  const bool flags_fit = header.flags == 0 || (header.flags == kMore && header.type == FrameType::request);
  return version == kVersion && is_known(header.type) && channel < kChannels && flags_fit &&
         header.length <= kMaxPayload;
}

}  // namespace prx::protocol
