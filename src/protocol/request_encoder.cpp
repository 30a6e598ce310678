#include "protocol/request_encoder.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "protocol/frame.hpp"

namespace prx::protocol {
namespace {

constexpr std::size_t kStringOverhead = 5;  // length and NUL
constexpr std::size_t kFixedPart = 3 + 1 + 2 + 2 + 8 + 8 + 4 + 4 + 4 + 4;
constexpr std::size_t kIdentitySize = 8 + 8;

std::size_t list_size(const std::vector<std::string>& strings) {
  std::size_t size = 0;
  for (const auto& text : strings) size += text.size() + kStringOverhead;
  return size;
}

std::size_t size_of(const RequestFields& fields) {
  auto size = kFixedPart + fields.working_dir.size() + fields.file.size() + 2 * kStringOverhead +
              list_size(fields.argv) + list_size(fields.env) + (fields.key ? kSealKeySize : 0);
  for (const auto& file : fields.expected) size += file.path.size() + kStringOverhead + kIdentitySize;
  return size;
}

void write_list(Writer& writer, const std::vector<std::string>& strings) {
  writer.u32(static_cast<std::uint32_t>(strings.size()));
  for (const auto& text : strings) writer.string(text);
}

void write_body(Writer& writer, const RequestFields& fields) {
  for (const auto kind : fields.stdio) writer.u8(static_cast<std::uint8_t>(kind));
  writer.u8(fields.pass_terminal ? 1 : 0);
  writer.u16(fields.rows);
  writer.u16(fields.columns);
  writer.u64(static_cast<std::uint64_t>(fields.timeout.count()));
  writer.u64(static_cast<std::uint64_t>(fields.grace.count()));
  writer.string(fields.working_dir);
  writer.string(fields.file);
  write_list(writer, fields.argv);
  write_list(writer, fields.env);
  writer.u32(static_cast<std::uint32_t>(fields.expected.size()));
  for (const auto& file : fields.expected) {
    writer.string(file.path);
    writer.u64(file.device);
    writer.u64(file.inode);
  }
  writer.u32(fields.key ? kSealKeySize : 0);
  if (!fields.key) return;
  for (const auto byte : *fields.key) writer.u8(std::to_integer<std::uint8_t>(byte));
}

}  // namespace

std::optional<std::string> encode_request_frames(const RequestFields& fields) {
  const auto size = size_of(fields);
  if (size > kMaxRequest) return std::nullopt;
  std::string body(size, '\0');
  Writer writer(std::as_writable_bytes(std::span(body)));
  write_body(writer, fields);

  std::string frames;
  frames.reserve(size + kHeaderSize * (size / kMaxPayload + 1));
  std::string_view rest = body;
  while (!rest.empty()) {
    const auto part = rest.substr(0, kMaxPayload);
    rest.remove_prefix(part.size());
    std::array<std::byte, kHeaderSize> header{};
    encode_header({FrameType::request, ChannelId::control, rest.empty() ? std::uint8_t{0} : kMore,
                   static_cast<std::uint32_t>(part.size())},
                  header);
    frames.append(reinterpret_cast<const char*>(header.data()), header.size());
    frames.append(part);
  }
  return frames;
}

}  // namespace prx::protocol
