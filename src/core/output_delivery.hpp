#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <prx/runtime.hpp>

namespace prx::core {

/// Hands one channel's output to the consumer's callback. While the consumer is paused, up to `limit` bytes
/// wait here and the rest is counted: a slow consumer never blocks the command.
class OutputDelivery {
 public:
  OutputDelivery(Channel channel, std::uint64_t limit,
                 const std::function<void(const OutputChunk&)>* consumer);

  void deliver(std::string_view bytes);
  /// Bytes that nobody will hand over; told with the next piece.
  void count_missed(std::uint64_t bytes);
  void pause() { paused_ = true; }
  void resume();
  /// At the end of the stream: what waits is handed over, paused or not; what was missed after it is told by
  /// an empty piece.
  void finish();

 private:
  void hand_over(std::string_view bytes);

  Channel channel_;
  std::uint64_t limit_;
  const std::function<void(const OutputChunk&)>* consumer_;
  bool paused_ = false;
  std::string waiting_;
  std::uint64_t missed_ = 0;  // after what waits
};

}  // namespace prx::core
