#include "base/head_tail_buffer.hpp"

#include <algorithm>
#include <utility>

namespace prx::base {

HeadTailBuffer::HeadTailBuffer(std::uint64_t limit)
    : head_limit_(static_cast<std::size_t>(limit - limit / 2)), tail_limit_(static_cast<std::size_t>(limit / 2)) {}

void HeadTailBuffer::append(std::string_view bytes) {
  total_ += bytes.size();
  if (head_.size() < head_limit_) {
    const auto taken = std::min(bytes.size(), head_limit_ - head_.size());
    head_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
  }
  if (!bytes.empty() && tail_limit_ > 0) append_to_tail(bytes);
}

void HeadTailBuffer::append_to_tail(std::string_view bytes) {
  if (bytes.size() >= tail_limit_) {
    tail_.assign(bytes.substr(bytes.size() - tail_limit_));
    tail_begin_ = 0;
    return;
  }
  if (tail_.size() < tail_limit_) {
    const auto taken = std::min(bytes.size(), tail_limit_ - tail_.size());
    tail_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
  }
  while (!bytes.empty()) {
    const auto taken = std::min(bytes.size(), tail_limit_ - tail_begin_);
    std::copy_n(bytes.data(), taken, tail_.begin() + static_cast<std::ptrdiff_t>(tail_begin_));
    tail_begin_ = (tail_begin_ + taken) % tail_limit_;
    bytes.remove_prefix(taken);
  }
}

CapturedStream HeadTailBuffer::take() {
  CapturedStream stream;
  stream.total_bytes = std::exchange(total_, 0);
  stream.gap_at = head_.size();
  stream.bytes = std::exchange(head_, {});
  std::rotate(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(tail_begin_), tail_.end());
  stream.bytes += std::exchange(tail_, {});
  tail_begin_ = 0;
  stream.omitted = stream.total_bytes - stream.bytes.size();
  if (stream.omitted == 0) stream.gap_at = stream.bytes.size();
  return stream;
}

}  // namespace prx::base
