// Any bytes as a request, as a trailer, and as a stream of frames in both directions: refused, or decoded
// without harm. The first byte chooses.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "protocol/cursor.hpp"
#include "protocol/frame.hpp"
#include "protocol/frame_order.hpp"
#include "protocol/slot_request.hpp"
#include "protocol/trailer.hpp"

namespace {

using namespace prx::protocol;
using Bytes = std::span<const std::byte>;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_text(std::string_view text) {
  require(text.data()[text.size()] == '\0');
  for (const char c : text) require(c != '\0');
}

void decode_as_request(Bytes bytes) {
  SlotRequest request;
  if (!decode_request(bytes, request)) return;
  require_text(request.file);
  require_text(request.working_dir);
  std::uint32_t seen = 0;
  const auto visit = [&](std::string_view text) {
    require_text(text);
    ++seen;
  };
  request.argv.for_each(visit);
  request.env.for_each(visit);
  require(seen == request.argv.count + request.env.count && request.argv.count > 0);
}

/// What is accepted means the same once encoded again.
void decode_as_trailer(Bytes bytes) {
  Trailer trailer;
  if (!decode_trailer(bytes, trailer)) return;
  std::vector<std::byte> again(kMaxTrailer);
  again.resize(encode_trailer(trailer, again));
  require(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
}

template <class Visit>
void for_each_frame(Bytes bytes, Visit&& visit) {
  while (bytes.size() >= kHeaderSize) {
    FrameHeader header;
    if (!decode_header(bytes.first<kHeaderSize>(), header)) return;
    bytes = bytes.subspan(kHeaderSize);
    if (bytes.size() < header.length || !visit(header, bytes.first(header.length))) return;
    bytes = bytes.subspan(header.length);
  }
}

/// As core's slot client reads it.
void read_as_host(Bytes bytes, bool framed, bool terminal) {
  SlotFrameOrder order({framed, framed, framed}, terminal);
  std::uint64_t waiting[2] = {};
  for_each_frame(bytes, [&](const FrameHeader& header, Bytes payload) {
    require(!order.finished() || !order.accept(header));
    if (order.finished() || !order.accept(header)) return false;
    if (header.type == FrameType::credit) return order.stdin_flow().grant(Reader(payload).u32());
    if (header.type == FrameType::trailer) decode_as_trailer(payload);
    if (header.type != FrameType::data) return true;
    require(framed);
    auto& unread = waiting[header.channel == ChannelId::out ? 0 : 1];
    unread += header.length;
    require(unread <= kInitialCredit);
    if (unread > kInitialCredit / 2) {
      order.consumed(header.channel, static_cast<std::uint32_t>(unread));
      unread = 0;
    }
    return true;
  });
}

/// As prx-init reads it.
void read_as_slot(Bytes bytes) {
  HostFrameOrder order;
  std::uint64_t input = 0;
  for_each_frame(bytes, [&](const FrameHeader& header, Bytes payload) {
    if (!order.accept(header)) return false;
    if (header.type == FrameType::credit) {
      const bool granted = order.output_flow(header.channel).grant(Reader(payload).u32());
      require(order.output_flow(header.channel).credit() <= kInitialCredit);
      return granted;
    }
    if (header.type == FrameType::data) input += header.length;
    require(input <= kInitialCredit);
    return true;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  switch (data[0] % 6) {
    case 0:
      decode_as_request(bytes);
      break;
    case 1:
      decode_as_trailer(bytes);
      break;
    case 2:
      read_as_host(bytes, true, false);
      break;
    case 3:
      read_as_host(bytes, false, true);
      break;
    case 4:
      read_as_host(bytes, true, true);
      break;
    default:
      read_as_slot(bytes);
      break;
  }
  return 0;
}
