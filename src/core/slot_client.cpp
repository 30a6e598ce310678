#include "core/slot_client.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "core/send_fds.hpp"
#include "io/assign.hpp"
#include "os/pipe.hpp"
#include "protocol/cursor.hpp"

namespace prx::core {

using protocol::ChannelId;
using protocol::FrameHeader;
using protocol::FrameType;
using protocol::kHeaderSize;

namespace {
constexpr std::size_t kReadSize = kHeaderSize + protocol::kMaxPayload;
/// Grants go out in pieces worth a frame.
constexpr std::uint32_t kGrantStep = protocol::kInitialCredit / 4;
/// More than any pipe holds.
constexpr std::uint64_t kMaxDropped = 1ULL << 31U;

/// Descriptors that came along are closed by the kernel.
Received receive_bytes(int socket, std::span<std::byte> to) {
  Received received;
  do {
    received.size = ::recv(socket, to.data(), to.size(), MSG_DONTWAIT);
  } while (received.size < 0 && errno == EINTR);
  return received;
}
}  // namespace

SlotClient::SlotClient(boost::asio::io_context& context, Reading reading, protocol::SlotFrameOrder order,
                       SlotEvents events)
    : stream_(context), reading_(std::move(reading)), order_(order), events_(std::move(events)) {}

Result<void> SlotClient::open(base::Fd stream) {
  return io::assign(stream_, std::move(stream));
}

Result<bool> SlotClient::send_request(std::string frames, std::span<const int> fds) {
  const auto sent =
      send_with_fds(stream_.native_handle(), std::as_bytes(std::span(frames)), fds, MSG_DONTWAIT);
  if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return false;
  if (sent < 0) return os::system_error("slot", errno);
  request_sent_ = true;
  frames.erase(0, static_cast<std::size_t>(sent));
  outbox_ = std::move(frames);
  request_left_ = outbox_.size();
  return true;
}

void SlotClient::start(const std::shared_ptr<void>& keep_alive) {
  keep_alive_ = keep_alive;
  wait_readable();
  if (!outbox_.empty()) wait_writable();
}

void SlotClient::wait_readable() {
  stream_.async_wait(stream_.wait_read, [this, keep_alive = keep_alive_](const auto&) {
    if (stream_.is_open()) read();  // any other error: see io/assign.hpp
  });
}

void SlotClient::read() {
  thread_local std::array<std::byte, kReadSize> buffer;
  const int fd = stream_.native_handle();
  auto got = reading_.streams == SlotStreams::frames ? receive_bytes(fd, buffer) : receive_with_fd(fd, buffer);
  const int error = errno;
  if (got.size < 0 && error == EAGAIN) return wait_readable();
  // An end with something of ours unread in the other side's queue is a reset (unix_release_sock). If that
  // may be what was sent after the request, the command may have run. A carrier may reset for its own reasons.
  const bool reset = error == ECONNRESET && !sent_more_ && !reading_.decoder;
  if (got.size < 0) return lose(reset ? SlotEvents::Loss::unread : SlotEvents::Loss::closed);
  if (got.size == 0) return lose(request_sent_ ? SlotEvents::Loss::closed : SlotEvents::Loss::unread);
  if (got.fd.is_open()) {
    if (got.too_many || attached_.is_open()) return lose(SlotEvents::Loss::protocol);
    attached_ = std::move(got.fd);
  }
  attached_lost_ |= got.too_many && !got.fd.is_open();
  if (!take_bytes(std::span(buffer).first(static_cast<std::size_t>(got.size))) || !take_frames())
    return lose(attached_lost_ ? SlotEvents::Loss::no_room : SlotEvents::Loss::protocol);
  if (stream_.is_open()) wait_readable();
}

bool SlotClient::take_bytes(std::span<const std::byte> bytes) {
  if (reading_.decoder) return reading_.decoder->decode(bytes, received_);
  received_.insert(received_.end(), bytes.begin(), bytes.end());
  return true;
}

bool SlotClient::take_frames() {
  std::size_t at = 0;
  while (received_.size() - at >= kHeaderSize && stream_.is_open()) {
    const auto rest = std::span(received_).subspan(at);
    FrameHeader header;
    if (!protocol::decode_header(rest.first<kHeaderSize>(), header)) return false;
    if (rest.size() - kHeaderSize < header.length) break;
    if (!order_.accept(header) || !take_frame(header, rest.subspan(kHeaderSize, header.length))) return false;
    at += kHeaderSize + header.length;
  }
  received_.erase(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(at));
  // A descriptor belongs to the frame it came with; nothing may be left over.
  return !attached_.is_open() || !received_.empty();
}

bool SlotClient::take_frame(const FrameHeader& header, std::span<const std::byte> payload) {
  protocol::Reader reader(payload);
  switch (header.type) {
    case FrameType::hello:
      init_pidfd_ = std::exchange(attached_, {});
      return true;
    case FrameType::terminal:
      if (!attached_.is_open()) return false;
      events_.terminal(std::exchange(attached_, {}));
      return true;
    case FrameType::data:
      events_.data(header.channel, payload);
      return true;
    case FrameType::end:
      if (header.channel == ChannelId::in) events_.input_refused();
      return true;
    case FrameType::credit:
      if (!order_.stdin_flow().grant(reader.u32())) return false;
      events_.credit();
      return true;
    case FrameType::trailer:
      return take_trailer(payload);
    default:
      return false;
  }
}

bool SlotClient::take_trailer(std::span<const std::byte> payload) {
  if (reading_.key) {
    if (payload.size() < protocol::kSealSize) return false;
    protocol::Reader seal(payload.last(protocol::kSealSize));
    payload = payload.first(payload.size() - protocol::kSealSize);
    if (seal.u64() != protocol::seal_of(*reading_.key, payload)) return false;
  }
  protocol::Trailer trailer;
  if (!protocol::decode_trailer(payload, trailer)) return false;
  const auto most = reading_.streams == SlotStreams::frames ? kMaxDropped : 0;
  if (trailer.dropped[0] > most || trailer.dropped[1] > most) return false;
  events_.trailer(trailer);
  return true;
}

void SlotClient::send(FrameType type, ChannelId channel, std::span<const std::byte> payload) {
  if (!stream_.is_open()) return;
  std::array<std::byte, kHeaderSize> header{};
  protocol::encode_header({type, channel, 0, static_cast<std::uint32_t>(payload.size())}, header);
  outbox_.append(reinterpret_cast<const char*>(header.data()), header.size());
  outbox_.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  flush();
}

void SlotClient::send_u32(FrameType type, ChannelId channel, std::uint32_t value) {
  std::array<std::byte, 4> payload{};
  protocol::Writer(payload).u32(value);
  send(type, channel, payload);
}

void SlotClient::flush() {
  while (!outbox_.empty()) {
    const auto sent =
        ::send(stream_.native_handle(), outbox_.data(), outbox_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return wait_writable();
    if (sent < 0) return;  // the reading side reports it
    const auto size = static_cast<std::size_t>(sent);
    outbox_.erase(0, size);
    sent_more_ |= size > request_left_;
    request_left_ -= std::min(size, request_left_);
  }
  send_grants();
}

void SlotClient::grant(ChannelId channel, std::uint32_t bytes) {
  output(channel).ungranted += bytes;
  send_grants();
}

void SlotClient::send_grants() {
  for (auto& output : outputs_) {
    // A slot that does not read gets no more credit: so it cannot make the outbox grow without bound.
    if (!stream_.is_open() || !outbox_.empty()) return;
    if (output.refused || output.ungranted < kGrantStep) continue;
    const auto bytes = std::exchange(output.ungranted, 0);
    order_.consumed(output.channel, bytes);
    send_u32(FrameType::credit, output.channel, bytes);
  }
}

void SlotClient::refuse(ChannelId channel) {
  if (!std::exchange(output(channel).refused, true)) send(FrameType::end, channel, {});
}

void SlotClient::wait_writable() {
  if (std::exchange(waiting_writable_, true)) return;
  stream_.async_wait(stream_.wait_write, [this, keep_alive = keep_alive_](const auto&) {
    waiting_writable_ = false;
    if (stream_.is_open()) flush();
  });
}

void SlotClient::close() {
  boost::system::error_code ignored;
  (void)stream_.close(ignored);
  init_pidfd_.reset();
  attached_.reset();
  keep_alive_.reset();
}

bool SlotClient::kill_init() const {
  return init_pidfd_.is_open() &&
         ::syscall(SYS_pidfd_send_signal, init_pidfd_.get(), SIGKILL, nullptr, 0) == 0;
}

void SlotClient::lose(SlotEvents::Loss loss) {
  events_.lost(loss);
}

}  // namespace prx::core
