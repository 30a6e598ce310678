#include "backends/docker/attach_decoder.hpp"

#include <algorithm>

namespace prx::backends {
namespace {
constexpr auto kStdout = std::byte{1};
constexpr auto kStderr = std::byte{2};
}  // namespace

bool AttachDecoder::decode(std::span<const std::byte> from, std::vector<std::byte>& to) {
  while (!from.empty()) {
    if (left_ == 0) {
      header_[header_size_++] = from.front();
      from = from.subspan(1);
      if (header_size_ == header_.size() && !begin_piece()) return false;
      continue;
    }
    const auto part = from.first(std::min<std::size_t>(left_, from.size()));
    if (wanted_) to.insert(to.end(), part.begin(), part.end());
    left_ -= static_cast<std::uint32_t>(part.size());
    from = from.subspan(part.size());
  }
  return true;
}

/// The error stream (3), and an HTTP head that a daemon sends late, are no piece of ours.
bool AttachDecoder::begin_piece() {
  header_size_ = 0;
  const auto zero = std::byte{0};
  if (header_[1] != zero || header_[2] != zero || header_[3] != zero) return false;
  if (header_[0] != kStdout && header_[0] != kStderr) return false;
  wanted_ = header_[0] == kStdout;
  left_ = 0;
  for (std::size_t i = 4; i < header_.size(); ++i)
    left_ = left_ << 8U | std::to_integer<std::uint32_t>(header_[i]);
  return true;
}

}  // namespace prx::backends
