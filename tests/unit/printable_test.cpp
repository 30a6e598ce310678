#include <gtest/gtest.h>

#include "base/printable.hpp"

namespace prx::base {
namespace {

TEST(Printable, PlainTextIsLeftAlone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a b ~ é 日 𝄞 \xC2\xA0"), "a b ~ é 日 𝄞 \xC2\xA0");
  EXPECT_EQ(printable("back\\slash"), "back\\slash");
}

TEST(Printable, ControlCharactersAreShown) {
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable("\x1B[31m"), "\\x1B[31m");
  EXPECT_EQ(printable(std::string("\0\x07\x7F", 3)), "\\x00\\x07\\x7F");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\x9B31m");
  EXPECT_EQ(printable("\xC2\x80\xC2\x9F"), "\\x80\\x9F");
}

TEST(Printable, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(printable("a\xFF\x9B z"), "a\xEF\xBF\xBD\xEF\xBF\xBD z");
  EXPECT_EQ(printable("\xC2"), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace prx::base
