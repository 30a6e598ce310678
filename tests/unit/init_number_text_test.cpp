#include "init/number_text.hpp"

#include <gtest/gtest.h>

namespace prx::init {
namespace {

TEST(NumberText, StandsAfterItsKeyAtTheBeginningOfALine) {
  constexpr std::string_view kEvents = "oom 2\noom_kill 1\noom_group_kill 7\n";
  EXPECT_EQ(number_after(kEvents, "oom_kill "), 1U);
  EXPECT_EQ(number_after(kEvents, "oom "), 2U);
  EXPECT_EQ(number_after(kEvents, "kill "), 0U);
  EXPECT_EQ(number_after("oom_kill_disable 9\nunder_oom 0\noom_kill 3", "oom_kill "), 3U);
  EXPECT_EQ(number_after("Name:\tx\nRssAnon:\t    1234 kB\n", "RssAnon:"), 1234U);
}

TEST(NumberText, WithoutAKeyItIsTheFirst) {
  EXPECT_EQ(number_after("778240\n", {}), 778'240U);
  EXPECT_EQ(number_after("max\n", {}), 0U);
  EXPECT_EQ(number_after("", {}), 0U);
  EXPECT_EQ(number_after("", "key"), 0U);
}

}  // namespace
}  // namespace prx::init
