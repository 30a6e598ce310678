#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace prx::base {
namespace {

TEST(Utf8, AcceptsWhatUnicodeAllows) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("é€😀\xEF\xBF\xBF"));
  EXPECT_TRUE(is_utf8(std::string_view("\0x", 2)));
}

TEST(Utf8, RefusesWhatUnicodeForbids) {
  EXPECT_FALSE(is_utf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(is_utf8("\xE0\x80\xAF"));      // overlong
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(is_utf8("\xFF"));
  EXPECT_FALSE(is_utf8("\x80"));
  EXPECT_FALSE(is_utf8("a\xE2\x82"));  // cut
}

TEST(Utf8, FindsCutCharacters) {
  EXPECT_EQ(incomplete_suffix("a\xE2\x82"), 2U);
  EXPECT_EQ(incomplete_suffix("a\xF0\x9F\x98"), 3U);
  EXPECT_EQ(incomplete_suffix("aé"), 0U);
  EXPECT_EQ(incomplete_suffix("a\xFF"), 0U);
  EXPECT_EQ(continuation_prefix("\x82\xACz"), 2U);
  EXPECT_EQ(continuation_prefix("z"), 0U);
}

TEST(Utf8, ReplacesEachMaximalInvalidPartOnce) {
  EXPECT_EQ(to_utf8_lossy("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(to_utf8_lossy("\xE2\x82z"), "\xEF\xBF\xBDz");
  EXPECT_EQ(to_utf8_lossy("\xF0\x9F\x98"), "\xEF\xBF\xBD");
  EXPECT_EQ(to_utf8_lossy("é"), "é");
}

}  // namespace
}  // namespace prx::base
