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

/// What a slot may send, in which order. The host treats a slot's bytes as hostile: the first frame that
/// accept() refuses destroys the slot.
class SlotFrameOrder {
 public:
  /// `framed`: standard streams come as data frames. `terminal`: the master of a pty comes.
  SlotFrameOrder(bool framed, bool terminal) noexcept : framed_(framed), terminal_expected_(terminal) {}

  [[nodiscard]] bool accept(const FrameHeader& header) noexcept;
  /// The host consumed bytes of `channel` and grants them again.
  void consumed(ChannelId channel, std::uint32_t bytes) noexcept;
  [[nodiscard]] bool finished() const noexcept { return state_ == State::finished; }
  /// What the host itself may still send to the command's stdin.
  [[nodiscard]] ChannelFlow& stdin_flow() noexcept { return in_; }

 private:
  enum class State : std::uint8_t { greeting, running, finished };

  [[nodiscard]] bool accept_output(const FrameHeader& header) noexcept;

  State state_ = State::greeting;
  bool framed_;
  bool terminal_expected_;
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
  bool request_complete_ = false;
  ChannelFlow in_;
  ChannelFlow out_;
  ChannelFlow err_;
};

}  // namespace prx::protocol
