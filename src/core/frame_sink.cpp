#include "core/frame_sink.hpp"

#include <algorithm>
#include <utility>

namespace prx::core {

using protocol::ChannelId;
using protocol::FrameType;

std::optional<std::size_t> FrameSink::take(std::string_view bytes) {
  if (refused_) return std::nullopt;
  auto& flow = client_.order().stdin_flow();
  std::size_t taken = 0;
  while (taken < bytes.size() && flow.credit() > 0) {
    const auto most = std::min(flow.credit(), protocol::kMaxPayload);
    const auto piece = bytes.substr(taken, most);
    (void)flow.take(static_cast<std::uint32_t>(piece.size()));
    client_.send(FrameType::data, ChannelId::in, std::as_bytes(std::span(piece)));
    taken += piece.size();
  }
  return taken;
}

void FrameSink::end() {
  if (!refused_ && client_.order().stdin_flow().end()) client_.send(FrameType::end, ChannelId::in, {});
}

void FrameSink::on_refused() {
  refused_ = true;
  call_ready();
}

void FrameSink::call_ready() {
  if (const auto ready = std::exchange(ready_, nullptr)) ready();
}

}  // namespace prx::core
