#include "protocol/frame_order.hpp"

#include <utility>

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
    case FrameType::credit:
      return accept_stream(header);
    default:
      return false;
  }
}

bool SlotFrameOrder::accept_stream(const FrameHeader& header) noexcept {
  switch (header.channel) {
    case ChannelId::in:
      return framed_.in && accept_input(header);
    case ChannelId::out:
      return framed_.out && accept_output(header, out_);
    case ChannelId::err:
      return framed_.err && accept_output(header, err_);
    default:
      return false;
  }
}

bool SlotFrameOrder::accept_input(const FrameHeader& header) noexcept {
  if (input_refused_) return false;
  if (header.type == FrameType::end) {
    input_refused_ = true;
    return header.length == 0;
  }
  // The amount is checked by whoever reads the payload (ChannelFlow::grant).
  return header.type == FrameType::credit && header.length == 4;
}

bool SlotFrameOrder::accept_output(const FrameHeader& header, ChannelFlow& flow) noexcept {
  if (header.type == FrameType::end) return header.length == 0 && flow.end();
  return header.type == FrameType::data && header.length > 0 && flow.take(header.length);
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
      if (header.length != 0) return false;
      if (header.channel == ChannelId::in) return in_.end();
      return is_output(header.channel) && !std::exchange(output_refused(header.channel), true);
    case FrameType::credit:
      return is_output(header.channel) && header.length == 4 && !output_refused(header.channel);
    case FrameType::signal:
    case FrameType::cancel:
    case FrameType::resize:
      return header.channel == ChannelId::control && header.length == 4;
    default:
      return false;
  }
}

}  // namespace prx::protocol
