#include "init/request_reader.hpp"

#include <cstring>

#include "init/sys.hpp"
#include "os/raw_clock.hpp"

namespace prx::init {
namespace {

/// The request's frames, joined. Pages are touched as they are filled.
class RequestBuffer {
 public:
  /// False without memory.
  [[nodiscard]] bool open() {
    if (memory_ == nullptr) memory_ = map_memory(protocol::kMaxRequest);
    return memory_ != nullptr;
  }
  [[nodiscard]] bool append(std::span<const std::byte> part) {
    if (protocol::kMaxRequest - size_ < part.size()) return false;
    memcpy(memory_ + size_, part.data(), part.size());
    size_ += part.size();
    return true;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_, size_}; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
};

enum class Progress : unsigned char { more, complete, refused, no_memory };

Progress take_frames(FrameReader& reader, RequestBuffer& buffer, ReceivedRequest& received) {
  for (;;) {
    FrameReader::Frame frame;
    switch (reader.next(frame)) {
      case FrameReader::Next::need_more:
        return Progress::more;
      case FrameReader::Next::malformed:
        return Progress::refused;
      case FrameReader::Next::frame:
        break;
    }
    if (!buffer.open()) return Progress::no_memory;
    if (!received.order.accept(frame.header) || !buffer.append(frame.payload)) return Progress::refused;
    if ((frame.header.flags & protocol::kMore) == 0) return Progress::complete;
  }
}

/// False when the host has ended.
bool wait_for_bytes(int stream, int host_pidfd) {
  for (;;) {
    pollfd fds[] = {{stream, POLLIN, 0}, {host_pidfd, POLLIN, 0}};
    if (poll_fds(fds, nullptr) < 0) continue;
    if (fds[1].revents != 0) return false;
    if (fds[0].revents != 0) return true;
  }
}

/// Descriptors come with the first bytes; they fill the places that are free.
void take_fds(const int (&came)[3], ReceivedRequest& received) {
  std::size_t at = 0;
  for (const int fd : came) {
    while (at < 3 && received.fds[at] >= 0) ++at;
    if (fd < 0) continue;
    if (at < 3) {
      received.fds[at] = fd;
    } else {
      close_fd(fd);
    }
  }
}

}  // namespace

bool receive_request(const Stream& stream, int host_pidfd, FrameReader& reader, ReceivedRequest& received) {
  RequestBuffer buffer;
  for (;;) {
    if (!wait_for_bytes(stream.in, host_pidfd)) return false;
    int came[3] = {-1, -1, -1};
    const auto status = reader.fill(stream.in, came);
    take_fds(came, received);
    if (status == ReadStatus::closed) return false;
    const auto progress = take_frames(reader, buffer, received);
    if (progress == Progress::refused) return false;
    if (progress == Progress::more) continue;
    if (progress == Progress::no_memory) {
      received.error = ENOMEM;
      return true;
    }
    received.received_ns = os::monotonic_ns();
    received.well_formed = protocol::decode_request(buffer.bytes(), received.request);
    return true;
  }
}

}  // namespace prx::init
