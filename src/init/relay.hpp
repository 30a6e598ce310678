#pragma once

#include <cstdint>
#include <span>

#include "init/frame_io.hpp"
#include "protocol/frame_order.hpp"

struct pollfd;  // NOLINT(readability-identifier-naming): the C library names it

namespace prx::init {

/// Carries a remote command's streams between pipes (or the pty's master) and data frames. Nothing here
/// blocks: output waits in its pipe while the host grants no credit, input waits in a buffer as large as its
/// credit.
class Relay {
 public:
  /// The slot's ends, non-blocking; -1 for a stream that is not framed. A pty's master is both.
  void open(int input, int output, int error_output);

  [[nodiscard]] bool active() const {
    return in_ >= 0 || outputs_[0].fd >= 0 || outputs_[1].fd >= 0 || refusal_unsaid_;
  }

  /// Bytes for the command's stdin; within the credit, so they fit.
  void queue_input(std::span<const std::byte> bytes);
  void end_input();
  /// The host takes no more of it: the command's next write fails, as it does where it writes itself.
  void refuse_output(protocol::ChannelId channel);

  static constexpr std::size_t kPollFds = 3;
  /// Says what to wait for.
  void prepare_poll(std::span<pollfd, kPollFds> fds, const FrameWriter& writer,
                    protocol::HostFrameOrder& order) const;
  /// Moves what can be moved now.
  void move(FrameWriter& writer, protocol::HostFrameOrder& order);
  /// Every process of the command has ended: what is in the pipes now is all there will be, and a pipe that
  /// something else holds is not waited for.
  void begin_drain();
  [[nodiscard]] bool drained() const { return outputs_[0].drained() && outputs_[1].drained(); }
  /// The command's bytes that are still in the pipe of output 0 or 1.
  [[nodiscard]] std::uint64_t undelivered(int output) const;

 private:
  struct Output {
    int fd = -1;
    protocol::ChannelId channel = protocol::ChannelId::out;
    std::uint64_t left = ~0ULL;  // what may still come from the command
    bool ending = false;         // once the command has ended

    [[nodiscard]] bool drained() const { return fd < 0 || left == 0; }
  };

  void move_input(FrameWriter& writer, protocol::HostFrameOrder& order);
  void move_output(Output& output, FrameWriter& writer, protocol::HostFrameOrder& order);
  void close_input();
  void close_output(Output& output);
  void say_refusal(FrameWriter& writer);
  static std::uint64_t waiting(const Output& output);

  int in_ = -1;
  Output outputs_[2];
  bool input_ended_ = false;
  bool refusal_unsaid_ = false;  // the command reads no more, and the host does not know yet
  std::uint32_t ungranted_ = 0;  // consumed from the buffer, not yet granted again
  std::byte* input_ =
      nullptr;  // kInitialCredit bytes, apart from this object so that they stay out of the file
  std::size_t input_begin_ = 0;
  std::size_t input_end_ = 0;
};

}  // namespace prx::init
