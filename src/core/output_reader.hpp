#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>

#include "base/fd.hpp"
#include "base/head_tail_buffer.hpp"
#include "core/handler_owner.hpp"
#include "core/output_delivery.hpp"

namespace prx::core {

/// Reads one output stream of a command as it comes: counts, keeps head and tail, delivers. On the reactor.
class OutputReader {
 public:
  OutputReader(boost::asio::io_context& context, Channel channel, std::uint64_t limit,
               const std::function<void(const OutputChunk&)>* consumer);

  /// Reads from `fd` until its end; `owner` is held by every waiting handler.
  Result<void> start(base::Fd fd, const std::shared_ptr<HandlerOwner>& owner);
  /// For bytes that came as frames.
  void take(std::string_view bytes);
  /// For bytes that never came.
  void count_lost(std::uint64_t bytes);
  /// Everything that has been written has been read once this returns; a writer that lives on is not waited
  /// for.
  void drain();
  void close();

  [[nodiscard]] OutputDelivery& delivery() noexcept { return delivery_; }
  [[nodiscard]] CapturedStream take_captured() { return kept_.take(); }

 private:
  void prepare_for_much();

  /// `part`: less than was asked for.
  enum class Read : unsigned char { full, part, nothing_yet, end };

  void wait();
  [[nodiscard]] bool read_turn();
  Read read_once(std::size_t at_most);

  boost::asio::posix::stream_descriptor stream_;
  base::HeadTailBuffer kept_;
  OutputDelivery delivery_;
  std::shared_ptr<HandlerOwner> owner_;  // while it is open
  std::unique_ptr<char[]> busy_buffer_;  // once the stream has shown that it is long
};

}  // namespace prx::core
