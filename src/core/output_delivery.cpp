#include "core/output_delivery.hpp"

#include <algorithm>
#include <utility>

namespace prx::core {

OutputDelivery::OutputDelivery(Channel channel, std::uint64_t limit,
                               const std::function<void(const OutputChunk&)>* consumer)
    : channel_(channel), limit_(limit), consumer_(consumer) {}

void OutputDelivery::deliver(std::string_view bytes) {
  if (consumer_ == nullptr || !*consumer_) return;
  if (!paused_) {
    hand_over(bytes);
    return;
  }
  // Once something was missed, nothing later is kept: pieces stay in order, with one gap.
  const auto room = missed_ != 0 ? 0 : limit_ - std::min<std::uint64_t>(limit_, waiting_.size());
  const auto kept = std::min<std::uint64_t>(room, bytes.size());
  waiting_.append(bytes.substr(0, kept));
  missed_ += bytes.size() - kept;
}

void OutputDelivery::count_missed(std::uint64_t bytes) {
  if (consumer_ != nullptr && *consumer_) missed_ += bytes;
}

void OutputDelivery::resume() {
  paused_ = false;
  const auto waiting = std::exchange(waiting_, {});
  const auto missed = std::exchange(missed_, 0);
  if (!waiting.empty()) hand_over(waiting);
  missed_ = missed;  // told with the next piece
}

void OutputDelivery::finish() {
  resume();
  if (missed_ != 0) hand_over({});
}

void OutputDelivery::hand_over(std::string_view bytes) {
  (*consumer_)({channel_, bytes, std::exchange(missed_, 0)});
}

}  // namespace prx::core
