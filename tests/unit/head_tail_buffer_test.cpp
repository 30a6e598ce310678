#include "base/head_tail_buffer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace prx::base {
namespace {

TEST(HeadTailBuffer, KeepsEverythingUpToTheLimit) {
  HeadTailBuffer buffer(8);
  buffer.append("abcd");
  buffer.append("efgh");
  const auto kept = buffer.take();
  EXPECT_EQ(kept.bytes, "abcdefgh");
  EXPECT_EQ(kept.total_bytes, 8U);
  EXPECT_FALSE(kept.truncated());
}

TEST(HeadTailBuffer, OneByteOverLeavesOutExactlyOne) {
  HeadTailBuffer buffer(8);
  buffer.append("abcdefghi");
  const auto kept = buffer.take();
  EXPECT_EQ(kept.bytes, "abcdfghi");
  EXPECT_EQ(kept.omitted, 1U);
  EXPECT_EQ(kept.gap_at, 4U);
}

TEST(HeadTailBuffer, ChunkingDoesNotMatter) {
  std::string stream;
  for (int i = 0; i < 1000; ++i) stream += std::to_string(i);
  for (const std::size_t limit : {0UL, 1UL, 2UL, 7UL, 100UL, 2890UL, 5000UL}) {
    HeadTailBuffer whole(limit);
    whole.append(stream);
    const auto expected = whole.take();
    EXPECT_EQ(expected.bytes.size(), std::min(limit, stream.size()));
    for (const std::size_t chunk : {1UL, 3UL, 64UL, 1000UL}) {
      HeadTailBuffer pieces(limit);
      for (std::size_t at = 0; at < stream.size(); at += chunk) {
        pieces.append(std::string_view(stream).substr(at, chunk));
      }
      const auto kept = pieces.take();
      EXPECT_EQ(kept.bytes, expected.bytes) << "limit " << limit << " chunk " << chunk;
      EXPECT_EQ(kept.omitted, expected.omitted);
      EXPECT_EQ(kept.gap_at, expected.gap_at);
    }
  }
}

TEST(HeadTailBuffer, TextNeverCutsACharacter) {
  HeadTailBuffer buffer(9);  // head 5, tail 4: both cut an é
  buffer.append("aaaa\xC3\xA9 middle \xC3\xA9zzz");
  const auto text = buffer.take().text();
  EXPECT_EQ(text, "aaaa\n[… 12 bytes left out …]\nzzz");
}

TEST(HeadTailBuffer, WhatWasLostIsAGapAtTheEnd) {
  HeadTailBuffer buffer(10);
  buffer.append("abc");
  buffer.count_lost(7);
  const auto stream = buffer.take();
  EXPECT_EQ(stream.bytes, "abc");
  EXPECT_EQ(stream.total_bytes, 10U);
  EXPECT_EQ(stream.omitted, 7U);
  EXPECT_EQ(stream.gap_at, 3U);
}

TEST(HeadTailBuffer, WhatWasLostCountsBesideWhatIsLeftOut) {
  HeadTailBuffer buffer(4);
  buffer.append("abcdef");
  buffer.count_lost(7);
  const auto stream = buffer.take();
  EXPECT_EQ(stream.bytes, "abef");
  EXPECT_EQ(stream.total_bytes, 13U);
  EXPECT_EQ(stream.omitted, 9U);
  EXPECT_EQ(stream.gap_at, 2U);
}

}  // namespace
}  // namespace prx::base
