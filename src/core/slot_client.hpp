#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <prx/result.hpp>

#include "base/fd.hpp"
#include "core/slot_source.hpp"
#include "core/stream_decoder.hpp"
#include "protocol/frame_order.hpp"
#include "protocol/request_encoder.hpp"
#include "protocol/trailer.hpp"

namespace prx::core {

/// What comes from a slot. Called on the reactor.
struct SlotEvents {
  std::function<void(base::Fd master)> terminal;
  std::function<void(protocol::ChannelId, std::span<const std::byte>)> data;
  /// More may be sent to the command's stdin.
  std::function<void()> credit;
  /// The command reads no more of its stdin.
  std::function<void()> input_refused;
  std::function<void(const protocol::Trailer&)> trailer;
  /// The stream ended without a trailer.
  enum class Loss : unsigned char {
    unread,    ///< nobody had read the request, and nothing else was sent: the command did not start
    closed,    ///< prx-init ended
    protocol,  ///< it sent what the protocol does not allow
    no_room,   ///< it sent a descriptor that this process has no room for
  };
  std::function<void(Loss)> lost;
};

/// The host's end of a slot's stream. What comes from there is hostile until proven otherwise: frames are
/// bounded, must come in the order of protocol::SlotFrameOrder, and the first wrong one ends the
/// conversation.
class SlotClient {
 public:
  /// How the slot's stream is to be read.
  struct Reading {
    SlotStreams streams = SlotStreams::descriptors;  ///< frames: no descriptor is taken from the slot
    std::unique_ptr<StreamDecoder> decoder{};        ///< may be none
    std::optional<protocol::SealKey> key{};          ///< a trailer without its seal is none
  };
  SlotClient(boost::asio::io_context& context, Reading reading, protocol::SlotFrameOrder order,
             SlotEvents events);

  /// Error kind exhausted, where the reactor cannot take one more.
  Result<void> open(base::Fd stream);

  /// Sends the request with descriptors attached to its first bytes. False when the slot is dead already:
  /// start() then finds out what it said last. Error kind exhausted.
  Result<bool> send_request(std::string frames, std::span<const int> fds);
  /// Starts to listen; `keep_alive` is held by every waiting handler.
  void start(const std::shared_ptr<void>& keep_alive);
  /// Queues a frame with a small payload.
  void send(protocol::FrameType type, protocol::ChannelId channel, std::span<const std::byte> payload);
  void send_u32(protocol::FrameType type, protocol::ChannelId channel, std::uint32_t value);
  /// That many bytes of an output were taken; its credit grows again once that is worth a frame.
  void grant(protocol::ChannelId channel, std::uint32_t bytes);
  /// Nothing of an output is taken any more: the command's next write there fails.
  void refuse(protocol::ChannelId channel);
  /// Ends the conversation: everything in the slot is killed.
  void close();

  /// SIGKILL for the prx-init that said hello; false before it did.
  [[nodiscard]] bool kill_init() const;
  [[nodiscard]] bool is_open() const noexcept { return stream_.is_open(); }
  [[nodiscard]] protocol::SlotFrameOrder& order() noexcept { return order_; }

 private:
  void wait_readable();
  void read();
  [[nodiscard]] bool take_bytes(std::span<const std::byte> bytes);
  [[nodiscard]] bool take_frames();
  [[nodiscard]] bool take_frame(const protocol::FrameHeader& header, std::span<const std::byte> payload);
  [[nodiscard]] bool take_trailer(std::span<const std::byte> payload);
  void flush();
  void send_grants();
  void wait_writable();
  void lose(SlotEvents::Loss loss);

  struct Output {
    protocol::ChannelId channel;
    std::uint32_t ungranted = 0;
    bool refused = false;
  };
  [[nodiscard]] Output& output(protocol::ChannelId channel) {
    return outputs_[channel == protocol::ChannelId::out ? 0 : 1];
  }

  boost::asio::posix::stream_descriptor stream_;
  const Reading reading_;
  protocol::SlotFrameOrder order_;
  SlotEvents events_;
  std::shared_ptr<void> keep_alive_;
  std::vector<std::byte> received_;
  base::Fd attached_;
  bool attached_lost_ = false;
  base::Fd init_pidfd_;
  std::string outbox_;
  std::size_t request_left_ = 0;  // of the outbox
  bool sent_more_ = false;        // than the request
  bool waiting_writable_ = false;
  bool request_sent_ = false;
  Output outputs_[2] = {{protocol::ChannelId::out}, {protocol::ChannelId::err}};
};

}  // namespace prx::core
