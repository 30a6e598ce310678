#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>

#include "core/input_sink.hpp"

namespace prx::core {

/// The host's end of a pipe, or a terminal's master.
class DescriptorSink final : public InputSink, public std::enable_shared_from_this<DescriptorSink> {
 public:
  /// Error kind exhausted, where the reactor cannot take one more.
  static Result<std::shared_ptr<InputSink>> open(boost::asio::io_context& context, base::Fd fd);

  explicit DescriptorSink(boost::asio::io_context& context) : stream_(context) {}

  std::optional<std::size_t> take(std::string_view bytes) override;
  void when_ready(std::function<void()> ready) override;
  void end() override { close(); }
  void close() override;

 private:
  boost::asio::posix::stream_descriptor stream_;
};

}  // namespace prx::core
