#include "init/relay.hpp"

#include <poll.h>
#include <sys/ioctl.h>

#include <cstring>

#include "init/sys.hpp"
#include "protocol/cursor.hpp"

namespace prx::init {

using protocol::ChannelId;
using protocol::FrameType;

namespace {
/// Grants go out in pieces worth a frame.
constexpr std::uint32_t kGrantStep = protocol::kInitialCredit / 4;
constexpr std::size_t kSmallFrame = 256;
/// A terminal's FIONREAD leaves out what its line discipline has not seen yet; that is at most this much.
constexpr std::uint64_t kOnItsWay = 64U << 10U;

constinit std::byte input_buffer[protocol::kInitialCredit] = {};
}  // namespace

void Relay::open(int input, int output, int error_output) {
  in_ = input;
  input_ = input_buffer;
  outputs_[0] = {output, ChannelId::out};
  outputs_[1] = {error_output, ChannelId::err};
}

void Relay::queue_input(std::span<const std::byte> bytes) {
  if (in_ < 0) return;  // the command has closed its stdin, and the host is told
  if (sizeof(input_buffer) - input_end_ < bytes.size()) {
    memmove(input_, input_ + input_begin_, input_end_ - input_begin_);
    input_end_ -= input_begin_;
    input_begin_ = 0;
  }
  memcpy(input_ + input_end_, bytes.data(), bytes.size());
  input_end_ += bytes.size();
}

void Relay::end_input() {
  input_ended_ = true;
}

void Relay::close_input() {
  if (in_ != outputs_[0].fd) close_fd(in_);  // a pty's master is still read from
  in_ = -1;
}

void Relay::close_output(Output& output) {
  if (in_ == output.fd) in_ = -1;  // a pty's master
  close_fd(output.fd);
  output.fd = -1;
}

void Relay::refuse_output(ChannelId channel) {
  for (auto& output : outputs_) {
    if (output.fd >= 0 && output.channel == channel) close_output(output);
  }
}

void Relay::prepare_poll(std::span<pollfd, kPollFds> fds, const FrameWriter& writer,
                         protocol::HostFrameOrder& order) const {
  const bool input_waits = in_ >= 0 && (input_begin_ < input_end_ || input_ended_);
  fds[0] = {input_waits ? in_ : -1, POLLOUT, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& output = outputs_[i];
    const bool may_send = writer.room() > kSmallFrame && order.output_flow(output.channel).credit() > 0;
    fds[i + 1] = {!output.drained() && may_send ? output.fd : -1, POLLIN, 0};
  }
}

void Relay::move(FrameWriter& writer, protocol::HostFrameOrder& order) {
  move_input(writer, order);
  say_refusal(writer);
  for (auto& output : outputs_) move_output(output, writer, order);
}

void Relay::move_input(FrameWriter& writer, protocol::HostFrameOrder& order) {
  while (in_ >= 0 && input_begin_ < input_end_) {
    const long size = write_fd(in_, input_ + input_begin_, input_end_ - input_begin_);
    if (size == -EAGAIN || size == -EINTR) break;
    if (size < 0) {  // the command reads no more
      close_input();
      refusal_unsaid_ = true;
      return;
    }
    input_begin_ += static_cast<std::size_t>(size);
    ungranted_ += static_cast<std::uint32_t>(size);
  }
  if (in_ >= 0 && input_ended_ && input_begin_ == input_end_) close_input();
  if (in_ >= 0 && ungranted_ >= kGrantStep && writer.room() > kSmallFrame &&
      order.stdin_flow().grant(ungranted_)) {
    std::byte payload[4];
    protocol::Writer(payload).u32(ungranted_);
    writer.append(FrameType::credit, ChannelId::in, payload);
    ungranted_ = 0;
  }
}

void Relay::say_refusal(FrameWriter& writer) {
  if (!refusal_unsaid_ || writer.room() <= kSmallFrame) return;
  writer.append(FrameType::end, ChannelId::in, {});
  refusal_unsaid_ = false;
}

void Relay::move_output(Output& output, FrameWriter& writer, protocol::HostFrameOrder& order) {
  while (!output.drained() && writer.room() > kSmallFrame) {
    auto& flow = order.output_flow(output.channel);
    auto space = writer.payload_space();
    auto size = space.size() < flow.credit() ? space.size() : flow.credit();
    if (size > output.left) size = static_cast<std::size_t>(output.left);
    if (size == 0) return;
    const long got = read_fd(output.fd, space.data(), size);
    if (got == -EAGAIN && output.ending) output.left = 0;
    if (got == -EAGAIN || got == -EINTR) return;
    if (got <= 0) {  // EOF; EIO from a pty whose slave is closed
      close_output(output);
      (void)flow.end();
      writer.append(FrameType::end, output.channel, {});
      return;
    }
    (void)flow.take(static_cast<std::uint32_t>(got));
    if (output.ending) output.left -= static_cast<std::uint64_t>(got);
    writer.append_in_place(FrameType::data, output.channel, static_cast<std::size_t>(got));
  }
}

void Relay::begin_drain() {
  for (auto& output : outputs_) {
    output.ending = true;
    output.left = waiting(output) + kOnItsWay;
  }
}

std::uint64_t Relay::undelivered(int output) const {
  const auto bytes = waiting(outputs_[output]);
  const auto left = outputs_[output].left;
  return bytes < left ? bytes : left;
}

std::uint64_t Relay::waiting(const Output& output) {
  int bytes = 0;
  if (output.fd < 0 || raw_syscall(__NR_ioctl, output.fd, FIONREAD, as_arg(&bytes)) < 0) return 0;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace prx::init
