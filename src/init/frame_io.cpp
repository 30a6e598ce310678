#include "init/frame_io.hpp"

#include <cstring>

#include "init/ancillary.hpp"
#include "init/sys.hpp"

namespace prx::init {

using protocol::kHeaderSize;

ReadStatus FrameReader::fill(int fd, std::span<int> fds) {
  if (begin_ > 0) {
    memmove(buffer_, buffer_ + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == sizeof(buffer_)) return ReadStatus::progress;
  long size = receive_with_fds(fd, buffer_ + end_, sizeof(buffer_) - end_, fds);
  if (size == -ENOTSOCK) size = read_fd(fd, buffer_ + end_, sizeof(buffer_) - end_);
  if (size == -EAGAIN || size == -EINTR) return ReadStatus::would_block;
  if (size <= 0) return ReadStatus::closed;
  end_ += static_cast<std::size_t>(size);
  return ReadStatus::progress;
}

FrameReader::Next FrameReader::next(Frame& frame) {
  if (end_ - begin_ < kHeaderSize) return Next::need_more;
  if (!protocol::decode_header(std::span<const std::byte, kHeaderSize>(buffer_ + begin_, kHeaderSize),
                               frame.header)) {
    return Next::malformed;
  }
  if (end_ - begin_ - kHeaderSize < frame.header.length) return Next::need_more;
  frame.payload = {buffer_ + begin_ + kHeaderSize, frame.header.length};
  begin_ += kHeaderSize + frame.header.length;
  return Next::frame;
}

void FrameWriter::make_room() {
  if (begin_ == 0) return;
  memmove(buffer_, buffer_ + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
}

std::size_t FrameWriter::room() const {
  const auto used = end_ - begin_ + kHeaderSize;
  const auto left = used < sizeof(buffer_) ? sizeof(buffer_) - used : 0;
  return left < protocol::kMaxPayload ? left : protocol::kMaxPayload;
}

std::span<std::byte> FrameWriter::payload_space() {
  make_room();
  return {buffer_ + end_ + kHeaderSize, room()};
}

void FrameWriter::append_in_place(protocol::FrameType type, protocol::ChannelId channel, std::size_t length) {
  protocol::encode_header({type, channel, 0, static_cast<std::uint32_t>(length)},
                          std::span<std::byte, kHeaderSize>(buffer_ + end_, kHeaderSize));
  end_ += kHeaderSize + length;
}

void FrameWriter::append(protocol::FrameType type, protocol::ChannelId channel,
                         std::span<const std::byte> payload) {
  const auto space = payload_space();
  memcpy(space.data(), payload.data(), payload.size());
  append_in_place(type, channel, payload.size());
}

bool FrameWriter::flush(int fd) {
  while (!empty()) {
    long size = raw_syscall(__NR_sendto, fd, as_arg(buffer_ + begin_), static_cast<long>(end_ - begin_),
                            MSG_NOSIGNAL, 0, 0);
    if (size == -ENOTSOCK) size = write_fd(fd, buffer_ + begin_, end_ - begin_);
    if (size == -EINTR) continue;
    if (size == -EAGAIN) return true;
    if (size < 0) return false;
    begin_ += static_cast<std::size_t>(size);
  }
  begin_ = end_ = 0;
  return true;
}

}  // namespace prx::init
