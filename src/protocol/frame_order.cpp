#include "protocol/frame_order.hpp"

namespace prx::protocol {
namespace {
constexpr bool is_output(ChannelId channel) {
  return channel == ChannelId::out || channel == ChannelId::err;
}
}  // namespace

bool SlotFrameOrder::accept(const FrameHeader& header) noexcept {
  if (state_ == State::finished) return false;
  if (state_ == State::greeting) {
    if (header.type != FrameType::hello || header.length != 4) return false;
    state_ = State::running;
    return true;
  }
  switch (header.type) {
    case FrameType::terminal: {
      const bool expected = terminal_expected_ && header.length == 0;
      terminal_expected_ = false;
      return expected;
    }
    case FrameType::trailer:
      state_ = State::finished;
      return header.channel == ChannelId::control;
    case FrameType::data:
    case FrameType::end:
      return framed_ && accept_output(header);
    // The amount is checked by whoever reads the payload (ChannelFlow::grant).
    case FrameType::credit:
      return framed_ && header.channel == ChannelId::in && header.length == 4;
    default:
      return false;
  }
}

bool SlotFrameOrder::accept_output(const FrameHeader& header) noexcept {
  if (!is_output(header.channel)) return false;
  auto& flow = header.channel == ChannelId::out ? out_ : err_;
  if (header.type == FrameType::end) return header.length == 0 && flow.end();
  return header.length > 0 && flow.take(header.length);
}

void SlotFrameOrder::consumed(ChannelId channel, std::uint32_t bytes) noexcept {
  auto& flow = channel == ChannelId::out ? out_ : err_;
  (void)flow.grant(bytes);
}

bool HostFrameOrder::accept(const FrameHeader& header) noexcept {
  if (!request_complete_) {
    if (header.type != FrameType::request || header.channel != ChannelId::control) return false;
    request_complete_ = (header.flags & kMore) == 0;
    return true;
  }
  switch (header.type) {
    case FrameType::data:
      return header.channel == ChannelId::in && header.length > 0 && in_.take(header.length);
    case FrameType::end:
      return header.channel == ChannelId::in && header.length == 0 && in_.end();
    case FrameType::credit:
      return is_output(header.channel) && header.length == 4;
    case FrameType::signal:
    case FrameType::cancel:
    case FrameType::resize:
      return header.channel == ChannelId::control && header.length == 4;
    default:
      return false;
  }
}

}  // namespace prx::protocol
