#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/frame.hpp"

namespace prx::init {

/// The slot's end of its stream. One socket for a local slot, stdin and stdout of a container for a remote
/// one.
struct Stream {
  int in = -1;
  int out = -1;
};

enum class ReadStatus : unsigned char { progress, would_block, closed };

/// Takes frames off the stream. The header of a frame that is handed out was decoded and checked, nothing
/// more.
class FrameReader {
 public:
  struct Frame {
    protocol::FrameHeader header;
    std::span<const std::byte> payload;  // valid until the next call
  };
  enum class Next : unsigned char { frame, need_more, malformed };

  /// Reads once. Descriptors that come with the bytes go into `fds` (-1 where none came).
  ReadStatus fill(int fd, std::span<int> fds);
  Next next(Frame& frame);

 private:
  std::byte buffer_[protocol::kHeaderSize + protocol::kMaxPayload] = {};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Queues frames and writes them as the stream takes them, so that a host that does not read never stops
/// prx-init from keeping its deadline.
class FrameWriter {
 public:
  /// How much payload fits now.
  [[nodiscard]] std::size_t room() const;
  /// Where the payload of the next data frame may be written in place; append() then takes `length` of it.
  [[nodiscard]] std::span<std::byte> payload_space();
  /// Queues a frame whose payload is in payload_space() already.
  void append_in_place(protocol::FrameType type, protocol::ChannelId channel, std::size_t length);
  /// Queues a frame. The caller has looked at room().
  void append(protocol::FrameType type, protocol::ChannelId channel, std::span<const std::byte> payload);

  [[nodiscard]] bool empty() const { return begin_ == end_; }
  /// Writes what the stream takes now. False when the stream is closed.
  bool flush(int fd);

 private:
  void make_room();

  std::byte buffer_[2 * (protocol::kHeaderSize + protocol::kMaxPayload)] = {};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace prx::init
