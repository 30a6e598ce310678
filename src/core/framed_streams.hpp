#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd_pumps.hpp"
#include "core/frame_sink.hpp"
#include "core/handler_owner.hpp"
#include "core/output_reader.hpp"
#include "core/slot_client.hpp"
#include "core/stdio_ends.hpp"

namespace prx::core {

/// The streams of one command whose slot takes no descriptors: frames between the slot and what the request
/// names. What the host has taken of an output is granted again, so that a descriptor that is slow to take it
/// slows down the command, and nothing else does. On the reactor, but for open().
class FramedStreams {
 public:
  FramedStreams(boost::asio::io_context& context, SlotClient& client, OutputReader& out, OutputReader& err);

  /// Opens the caller's descriptors. Error kind exhausted.
  Result<void> open(const StdioSource& source);
  /// `flushed` is called whenever no output waits any more.
  void start(const std::shared_ptr<HandlerOwner>& owner, std::function<void()> flushed);

  /// Where the host writes the command's stdin; not where it comes from a descriptor.
  [[nodiscard]] const std::shared_ptr<FrameSink>& input() const noexcept { return input_; }
  /// Whether nothing was read from the caller's descriptor.
  [[nodiscard]] bool input_is_untouched() const noexcept { return !source_ || source_->is_untouched(); }

  // From the slot.
  void take(protocol::ChannelId channel, std::string_view bytes);
  void on_credit() { input_->on_credit(); }
  void on_input_refused();
  /// Bytes that the slot could not send any more.
  void count_lost(protocol::ChannelId channel, std::uint64_t bytes);

  [[nodiscard]] bool is_flushed() const;
  /// Time is up: what a descriptor does not take now is thrown away.
  void abandon_output();
  void close();

  /// What the output should say.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  struct Output {
    protocol::ChannelId channel;
    OutputReader& reader;              // of what is captured
    std::shared_ptr<OutputPump> pump;  // of what goes to a descriptor
  };

  Result<void> open_output(Output& output, const base::Fd& given);
  void start_output(Output& output, const std::shared_ptr<HandlerOwner>& owner,
                    const std::function<void()>& flushed);
  void refuse(protocol::ChannelId channel, int error);
  [[nodiscard]] Output& output(protocol::ChannelId channel) {
    return channel == protocol::ChannelId::out ? out_ : err_;
  }

  boost::asio::io_context& context_;
  SlotClient& client_;
  std::shared_ptr<FrameSink> input_;
  std::shared_ptr<InputPump> source_;
  Output out_;
  Output err_;
  std::vector<std::string> warnings_;
};

}  // namespace prx::core
