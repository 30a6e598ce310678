#include "base/head_tail_buffer.hpp"

#include <algorithm>
#include <utility>

namespace prx::base {
namespace {
constexpr std::size_t kGrowth = 4;
}  // namespace

HeadTailBuffer::HeadTailBuffer(std::uint64_t limit)
    : head_limit_(static_cast<std::size_t>(limit - limit / 2)),
      tail_limit_(static_cast<std::size_t>(limit / 2)) {}

void HeadTailBuffer::append(std::string_view bytes) {
  total_ += bytes.size();
  const auto room = std::min(bytes.size(), head_limit_ + tail_limit_ - kept_.size());
  grow_for(room);
  kept_.append(bytes.substr(0, room));
  bytes.remove_prefix(room);
  if (!bytes.empty() && tail_limit_ > 0) append_to_ring(bytes);
}

/// In large steps: each one copies what is there and touches new pages.
void HeadTailBuffer::grow_for(std::size_t more) {
  const auto needed = kept_.size() + more;
  if (needed > kept_.capacity()) kept_.reserve(std::min(head_limit_ + tail_limit_, kGrowth * needed));
}

void HeadTailBuffer::append_to_ring(std::string_view bytes) {
  if (bytes.size() > tail_limit_) {
    const auto overwritten = bytes.size() - tail_limit_;
    ring_begin_ = (ring_begin_ + overwritten) % tail_limit_;
    bytes.remove_prefix(overwritten);
  }
  while (!bytes.empty()) {
    const auto taken = std::min(bytes.size(), tail_limit_ - ring_begin_);
    bytes.copy(kept_.data() + head_limit_ + ring_begin_, taken);
    ring_begin_ = (ring_begin_ + taken) % tail_limit_;
    bytes.remove_prefix(taken);
  }
}

CapturedStream HeadTailBuffer::take() {
  CapturedStream stream;
  const auto seen = std::exchange(total_, 0);
  stream.total_bytes = seen + std::exchange(lost_, 0);
  stream.bytes = std::exchange(kept_, {});
  stream.omitted = stream.total_bytes - stream.bytes.size();
  stream.gap_at = seen == stream.bytes.size() ? stream.bytes.size() : head_limit_;
  if (const auto begin = std::exchange(ring_begin_, 0); begin != 0) {
    const auto ring = stream.bytes.begin() + static_cast<std::ptrdiff_t>(head_limit_);
    std::rotate(ring, ring + static_cast<std::ptrdiff_t>(begin), stream.bytes.end());
  }
  return stream;
}

}  // namespace prx::base
