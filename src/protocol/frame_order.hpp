// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstdint>

#include "protocol/frame.hpp"

namespace prx::protocol {

/// Credit and end of one direction of one channel.
class ChannelFlow {
 public:
  /// Whether `bytes` may come now; takes them off the credit.
  [[nodiscard]] bool take(std::uint32_t bytes) noexcept {
    if (ended_ || bytes > credit_) return false;
    credit_ -= bytes;
    return true;
  }
  /// Whether the end may come now.
  [[nodiscard]] bool end() noexcept {
    if (ended_) return false;
    ended_ = true;
    return true;
  }
  /// Whether a grant keeps the credit within bounds: nobody may grant more than there is room for.
  [[nodiscard]] bool grant(std::uint32_t bytes) noexcept {
    if (bytes > kInitialCredit - credit_) return false;
    credit_ += bytes;
    return true;
  }
  [[nodiscard]] std::uint32_t credit() const noexcept { return credit_; }
  [[nodiscard]] bool ended() const noexcept { return ended_; }

 private:
  std::uint32_t credit_ = kInitialCredit;
  bool ended_ = false;
};

/// The standard streams that travel as frames. Those that do not go by descriptors, or nowhere.
struct StreamFrames {
  bool in = false;
  bool out = false;
  bool err = false;
};

/// What a slot may send, in which order. The host treats a slot's bytes as hostile: the first frame that
/// accept() refuses destroys the slot.
class SlotFrameOrder {
 public:
  /// `terminal`: the master of a pty comes.
  SlotFrameOrder(StreamFrames framed, bool terminal) noexcept
      : framed_(framed), terminal_expected_(terminal) {}

  [[nodiscard]] bool accept(const FrameHeader& header) noexcept;
  /// The host consumed bytes of `channel` and grants them again.
  void consumed(ChannelId channel, std::uint32_t bytes) noexcept;
  [[nodiscard]] bool finished() const noexcept { return state_ == State::finished; }
  /// What the host itself may still send to the command's stdin.
  [[nodiscard]] ChannelFlow& stdin_flow() noexcept { return in_; }

 private:
  enum class State : std::uint8_t { greeting, running, finished };

  [[nodiscard]] bool accept_stream(const FrameHeader& header) noexcept;
  [[nodiscard]] bool accept_input(const FrameHeader& header) noexcept;
  [[nodiscard]] static bool accept_output(const FrameHeader& header, ChannelFlow& flow) noexcept;

  State state_ = State::greeting;
  StreamFrames framed_;
  bool terminal_expected_;
  bool input_refused_ = false;  // the command reads no more
  ChannelFlow in_;
  ChannelFlow out_;
  ChannelFlow err_;
};

/// What a host may send to a slot, in which order.
class HostFrameOrder {
 public:
  [[nodiscard]] bool accept(const FrameHeader& header) noexcept;
  [[nodiscard]] ChannelFlow& stdin_flow() noexcept { return in_; }
  [[nodiscard]] ChannelFlow& output_flow(ChannelId channel) noexcept {
    return channel == ChannelId::out ? out_ : err_;
  }

 private:
  [[nodiscard]] bool& output_refused(ChannelId channel) noexcept {
    return channel == ChannelId::out ? out_refused_ : err_refused_;
  }

  bool request_complete_ = false;
  bool out_refused_ = false;  // the host takes no more
  bool err_refused_ = false;
  ChannelFlow in_;
  ChannelFlow out_;
  ChannelFlow err_;
};

}  // namespace prx::protocol
