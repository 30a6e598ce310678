#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "protocol/cursor.hpp"
#include "protocol/frame.hpp"
#include "protocol/request_encoder.hpp"
#include "protocol/slot_request.hpp"
#include "protocol/trailer.hpp"

namespace prx::protocol {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text) {
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// What a hostile peer sends, whether the enumeration has a name for it or not.
template <class Enum, class Value>
Enum unchecked(Value value) {
  return static_cast<Enum>(value);  // NOLINT(clang-analyzer-optin.core.EnumCastOutOfRange): on purpose
}

RequestFields some_fields() {
  RequestFields fields;
  fields.stdio[0] = StdioKind::null;
  fields.stdio[1] = fields.stdio[2] = StdioKind::passed;
  fields.rows = 24;
  fields.columns = 80;
  fields.timeout = std::chrono::seconds(7);
  fields.grace = std::chrono::milliseconds(500);
  fields.working_dir = "/work";
  fields.file = "tool";
  fields.argv = {"tool", "", "a b", "é"};
  fields.env = {"A=1", "EMPTY="};
  return fields;
}

/// The payloads of all frames, joined; fails the test where a header is not the next one of a request.
Bytes body_of(const std::string& frames) {
  Bytes body;
  std::span<const std::byte> rest = std::as_bytes(std::span(frames));
  bool more = true;
  while (!rest.empty()) {
    FrameHeader header;
    EXPECT_TRUE(decode_header(rest.first<kHeaderSize>(), header));
    EXPECT_EQ(header.type, FrameType::request);
    EXPECT_TRUE(more);
    more = (header.flags & kMore) != 0;
    const auto payload = rest.subspan(kHeaderSize, header.length);
    body.insert(body.end(), payload.begin(), payload.end());
    rest = rest.subspan(kHeaderSize + header.length);
  }
  EXPECT_FALSE(more);
  return body;
}

std::vector<std::string> strings_of(const StringList& list) {
  std::vector<std::string> strings;
  list.for_each([&](std::string_view text) { strings.emplace_back(text); });
  return strings;
}

/// Reads everything that a decoded request points to, so that a sanitizer sees a view that leaves its bytes.
std::size_t touch(const SlotRequest& request) {
  std::size_t sum = request.working_dir.size() + request.file.size();
  for (const auto& text : strings_of(request.argv)) sum += text.size();
  for (const auto& text : strings_of(request.env)) sum += text.size();
  EXPECT_EQ(request.file.data()[request.file.size()], '\0');
  EXPECT_EQ(request.working_dir.data()[request.working_dir.size()], '\0');
  return sum;
}

TEST(ProtocolRequest, ComesBackAsItWas) {
  const auto fields = some_fields();
  const auto body = body_of(*encode_request_frames(fields));
  SlotRequest request;
  ASSERT_TRUE(decode_request(body, request));
  EXPECT_EQ(request.stdio[0], StdioKind::null);
  EXPECT_EQ(request.stdio[2], StdioKind::passed);
  EXPECT_TRUE(request.pass_terminal);
  EXPECT_EQ(request.rows, 24);
  EXPECT_EQ(request.columns, 80);
  EXPECT_EQ(request.timeout_ns, 7'000'000'000U);
  EXPECT_EQ(request.grace_ns, 500'000'000U);
  EXPECT_EQ(request.working_dir, "/work");
  EXPECT_EQ(request.file, "tool");
  EXPECT_EQ(strings_of(request.argv), fields.argv);
  EXPECT_EQ(strings_of(request.env), fields.env);
}

TEST(ProtocolRequest, ALargeOneIsSplitAndJoined) {
  for (const std::size_t size :
       {std::size_t{kMaxPayload} - 200, std::size_t{kMaxPayload}, std::size_t{3'000'000}}) {
    auto fields = some_fields();
    fields.argv.push_back(std::string(size, 'x'));
    const auto frames = encode_request_frames(fields);
    ASSERT_TRUE(frames);
    const auto body = body_of(*frames);
    SlotRequest request;
    ASSERT_TRUE(decode_request(body, request));
    EXPECT_EQ(strings_of(request.argv).back().size(), size);
  }
}

TEST(ProtocolRequest, TheLargestFitsAndOneByteMoreDoesNot) {
  auto fields = some_fields();
  const auto without = body_of(*encode_request_frames(fields)).size();
  fields.working_dir += std::string(kMaxRequest - without, 'x');
  EXPECT_TRUE(encode_request_frames(fields));
  fields.working_dir += 'x';
  EXPECT_FALSE(encode_request_frames(fields));
}

TEST(ProtocolRequest, EveryPrefixAndEveryAdditionIsRefused) {
  const auto body = body_of(*encode_request_frames(some_fields()));
  SlotRequest request;
  for (std::size_t size = 0; size < body.size(); ++size) {
    // Copied, so that a sanitizer sees a read past the end.
    const Bytes prefix(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(decode_request(prefix, request)) << size;
  }
  auto longer = body;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(decode_request(longer, request));
  EXPECT_TRUE(decode_request(body, request));
}

TEST(ProtocolRequest, EveryFlippedBitIsRefusedOrHarmless) {
  const auto body = body_of(*encode_request_frames(some_fields()));
  int refused = 0;
  for (std::size_t bit = 0; bit < body.size() * 8; ++bit) {
    auto changed = body;
    changed[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    SlotRequest request;
    if (decode_request(changed, request)) {
      touch(request);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(ProtocolRequest, WhatContradictsItselfIsRefused) {
  const auto decodes = [](const RequestFields& fields) {
    const auto body = body_of(*encode_request_frames(fields));
    SlotRequest request;
    return decode_request(body, request);
  };
  EXPECT_TRUE(decodes(some_fields()));
  auto fields = some_fields();
  fields.argv.clear();
  EXPECT_FALSE(decodes(fields));
  fields = some_fields();
  fields.file.clear();
  EXPECT_FALSE(decodes(fields));
  fields = some_fields();
  fields.stdio[1] = StdioKind::terminal;
  EXPECT_FALSE(decodes(fields));
  for (auto& kind : fields.stdio) kind = StdioKind::terminal;
  EXPECT_TRUE(decodes(fields));
  for (auto& kind : fields.stdio) kind = unchecked<StdioKind>(4);
  EXPECT_FALSE(decodes(fields));
  fields = some_fields();
  fields.argv.push_back(std::string("a\0b", 3));
  EXPECT_FALSE(decodes(fields));
}

Trailer some_trailer() {
  Trailer trailer;
  trailer.cause = Cause::setup_failed;
  trailer.wait_status = -1;
  trailer.step = Step::exec;
  trailer.error = 2;
  trailer.cancel_signal = 15;
  trailer.user_us = 1;
  trailer.system_us = 2;
  trailer.max_rss_bytes = std::uint64_t{1} << 40U;
  trailer.peak_memory_bytes = std::uint64_t{1} << 41U;
  trailer.oom_kills = 10;
  trailer.leftovers_killed = 3;
  trailer.leftovers_alive = 4;
  trailer.spawn_ns = 5;
  trailer.run_ns = 6;
  trailer.cleanup_ns = 7;
  trailer.dropped[0] = 8;
  trailer.dropped[1] = 9;
  trailer.subject = "/no/such/program";
  return trailer;
}

Bytes encoded(const Trailer& trailer) {
  Bytes bytes(kMaxTrailer);
  bytes.resize(encode_trailer(trailer, bytes));
  return bytes;
}

TEST(ProtocolTrailer, ComesBackAsItWas) {
  const auto sent = some_trailer();
  const auto bytes = encoded(sent);
  Trailer got;
  ASSERT_TRUE(decode_trailer(bytes, got));
  EXPECT_EQ(got.cause, sent.cause);
  EXPECT_EQ(got.wait_status, sent.wait_status);
  EXPECT_EQ(got.step, sent.step);
  EXPECT_EQ(got.error, sent.error);
  EXPECT_EQ(got.cancel_signal, sent.cancel_signal);
  EXPECT_EQ(got.user_us, sent.user_us);
  EXPECT_EQ(got.system_us, sent.system_us);
  EXPECT_EQ(got.max_rss_bytes, sent.max_rss_bytes);
  EXPECT_EQ(got.peak_memory_bytes, sent.peak_memory_bytes);
  EXPECT_EQ(got.oom_kills, sent.oom_kills);
  EXPECT_EQ(got.leftovers_killed, sent.leftovers_killed);
  EXPECT_EQ(got.leftovers_alive, sent.leftovers_alive);
  EXPECT_EQ(got.spawn_ns, sent.spawn_ns);
  EXPECT_EQ(got.run_ns, sent.run_ns);
  EXPECT_EQ(got.cleanup_ns, sent.cleanup_ns);
  EXPECT_EQ(got.dropped[0], sent.dropped[0]);
  EXPECT_EQ(got.dropped[1], sent.dropped[1]);
  EXPECT_EQ(got.subject, sent.subject);
}

TEST(ProtocolTrailer, EveryPrefixIsRefusedAndEveryFlippedBitHarmless) {
  const auto bytes = encoded(some_trailer());
  Trailer trailer;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(decode_trailer(prefix, trailer)) << size;
  }
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto changed = bytes;
    changed[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    if (!decode_trailer(changed, trailer)) continue;
    EXPECT_LE(trailer.subject.size(), kMaxTrailerSubject);
    EXPECT_EQ(trailer.subject.data()[trailer.subject.size()], '\0');
  }
}

TEST(ProtocolTrailer, ALongSubjectIsCutAndALongerOneRefused) {
  const std::string text(kMaxTrailerSubject + 100, 'x');
  auto trailer = some_trailer();
  trailer.subject = text;
  auto bytes = encoded(trailer);
  ASSERT_TRUE(decode_trailer(bytes, trailer));
  EXPECT_EQ(trailer.subject.size(), kMaxTrailerSubject);
  // The same by hand, one byte over.
  const auto length_at = bytes.size() - kMaxTrailerSubject - 5;
  Writer(std::span(bytes).subspan(length_at)).u32(static_cast<std::uint32_t>(kMaxTrailerSubject + 1));
  bytes.back() = std::byte{'x'};
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode_trailer(bytes, trailer));
}

TEST(ProtocolTrailer, AStepWithoutAFailureIsRefusedAndTheOtherWayRound) {
  Trailer got;
  auto trailer = some_trailer();
  trailer.cause = Cause::itself;
  EXPECT_FALSE(decode_trailer(encoded(trailer), got));
  trailer = some_trailer();
  trailer.step = Step::none;
  EXPECT_FALSE(decode_trailer(encoded(trailer), got));
  for (const auto step : {Step::request, Step::engine}) {
    trailer = some_trailer();
    trailer.step = step;
    EXPECT_TRUE(decode_trailer(encoded(trailer), got)) << to_string(step);
  }
  trailer.step = unchecked<Step>(static_cast<int>(Step::engine) + 1);
  EXPECT_FALSE(decode_trailer(encoded(trailer), got));
  EXPECT_EQ(to_string(trailer.step), "unknown");
}

TEST(ProtocolFrame, EveryHeaderIsRefusedOrComesBack) {
  std::array<std::byte, kHeaderSize> bytes{};
  int accepted = 0;
  for (unsigned type = 0; type < 256; ++type) {
    for (unsigned channel = 0; channel < 6; ++channel) {
      for (const auto flags : {std::uint8_t{0}, kMore, std::uint8_t{2}, std::uint8_t{255}}) {
        const FrameHeader sent{unchecked<FrameType>(type), unchecked<ChannelId>(channel), flags, 77};
        encode_header(sent, bytes);
        FrameHeader got;
        if (!decode_header(bytes, got)) continue;
        ++accepted;
        EXPECT_EQ(got.type, sent.type);
        EXPECT_EQ(got.channel, sent.channel);
        EXPECT_EQ(got.length, 77U);
        EXPECT_TRUE(flags == 0 || (flags == kMore && got.type == FrameType::request));
      }
    }
  }
  EXPECT_EQ(accepted, 10 * 4 + 4);  // ten types on four channels, and a request with more to come
}

TEST(ProtocolFrame, VersionAndLengthAreBounded) {
  std::array<std::byte, kHeaderSize> bytes{};
  FrameHeader header{FrameType::data, ChannelId::out, 0, kMaxPayload};
  encode_header(header, bytes);
  EXPECT_TRUE(decode_header(bytes, header));
  bytes[0] = std::byte{kVersion + 1};
  EXPECT_FALSE(decode_header(bytes, header));
  encode_header({FrameType::data, ChannelId::out, 0, kMaxPayload + 1}, bytes);
  EXPECT_FALSE(decode_header(bytes, header));
}

TEST(ProtocolCursor, ReadsWhatWasWrittenAndNothingPastTheEnd) {
  std::array<std::byte, 32> memory{};
  Writer writer(memory);
  writer.u8(0x12);
  writer.u16(0x3456);
  writer.u32(0x789A'BCDE);
  writer.u64(0x0123'4567'89AB'CDEF);
  writer.string("hi");
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(writer.written()[1], std::byte{0x56});  // little-endian
  Reader reader(writer.written());
  EXPECT_EQ(reader.u8(), 0x12);
  EXPECT_EQ(reader.u16(), 0x3456);
  EXPECT_EQ(reader.u32(), 0x789A'BCDEU);
  EXPECT_EQ(reader.u64(), 0x0123'4567'89AB'CDEFU);
  EXPECT_EQ(reader.string(), "hi");
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.u8(), 0);
  EXPECT_FALSE(reader.ok());
  EXPECT_FALSE(reader.finished());
}

TEST(ProtocolCursor, WhatDoesNotFitIsNotWritten) {
  std::array<std::byte, 6> memory{};
  Writer writer(memory);
  writer.string("xy");  // 4 + 2 + 1
  EXPECT_FALSE(writer.ok());
  EXPECT_EQ(writer.size(), 0U);
  writer.u32(1);
  writer.u32(2);
  EXPECT_EQ(writer.size(), 4U);
  EXPECT_FALSE(writer.ok());
}

TEST(ProtocolCursor, AStringMustFitEndAndHoldNoNul) {
  const auto is_string = [](std::string_view text) {
    const auto bytes = bytes_of(text);
    Reader reader(bytes);
    reader.string();
    return reader.finished();
  };
  using namespace std::string_view_literals;
  EXPECT_TRUE(is_string("\2\0\0\0hi\0"sv));
  EXPECT_TRUE(is_string("\0\0\0\0\0"sv));
  EXPECT_FALSE(is_string("\2\0\0\0hix"sv));
  EXPECT_FALSE(is_string("\2\0\0\0hi"sv));
  EXPECT_FALSE(is_string("\2\0\0\0h\0\0"sv));
  EXPECT_FALSE(is_string("\xFF\xFF\xFF\xFFhi\0"sv));
  EXPECT_FALSE(is_string("\1\0\0"sv));
}

}  // namespace
}  // namespace prx::protocol
