#include "protocol/slot_request.hpp"

namespace prx::protocol {
namespace {

/// Skips over `count` strings and keeps where they are.
StringList read_list(std::span<const std::byte> bytes, Reader& reader) {
  StringList list;
  list.count = reader.u32();
  const auto begin = bytes.size() - reader.left();
  for (std::uint32_t i = 0; i < list.count && reader.ok(); ++i) reader.string();
  list.encoded = bytes.subspan(begin, bytes.size() - reader.left() - begin);
  return list;
}

ExpectedFiles read_expected(std::span<const std::byte> bytes, Reader& reader) {
  ExpectedFiles list;
  list.count = reader.u32();
  const auto begin = bytes.size() - reader.left();
  for (std::uint32_t i = 0; i < list.count && reader.ok(); ++i) {
    reader.string();
    reader.u64();
    reader.u64();
  }
  list.encoded = bytes.subspan(begin, bytes.size() - reader.left() - begin);
  return list;
}

bool stdio_fits(const SlotRequest& request) {
  bool any_terminal = false;
  bool all_terminal = true;
  for (const auto kind : request.stdio) {
    if (kind > StdioKind::terminal) return false;
    any_terminal |= kind == StdioKind::terminal;
    all_terminal &= kind == StdioKind::terminal;
  }
  return any_terminal == all_terminal;
}

}  // namespace

bool decode_request(std::span<const std::byte> bytes, SlotRequest& request) noexcept {
  Reader reader(bytes);
  for (auto& kind : request.stdio) kind = static_cast<StdioKind>(reader.u8());
  const auto pass_terminal = reader.u8();
  request.pass_terminal = pass_terminal == 1;
  request.rows = reader.u16();
  request.columns = reader.u16();
  request.timeout_ns = reader.u64();
  request.grace_ns = reader.u64();
  request.working_dir = reader.string();
  request.file = reader.string();
  request.argv = read_list(bytes, reader);
  request.env = read_list(bytes, reader);
  request.expected = read_expected(bytes, reader);
  request.key = reader.bytes();
  const bool key_fits = request.key.empty() || request.key.size() == kSealKeySize;
  return reader.finished() && key_fits && pass_terminal <= 1 && stdio_fits(request) && request.argv.count > 0 &&
         !request.file.empty();
}

}  // namespace prx::protocol
