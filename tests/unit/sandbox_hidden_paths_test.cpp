#include "sandbox/hidden_paths.hpp"

#include <gtest/gtest.h>

#include <string>

namespace prx::sandbox {
namespace {

bool matches(std::string_view name, std::string_view pattern) {
  return matches_glob(std::string("/w/").append(name), std::string("/w/").append(pattern));
}

TEST(HiddenPaths, AStarTakesAsMuchAsItMustWithinOneFolder) {
  for (const auto* pattern : {"*", "*.env", "a*", "a*v", "a.*nv", "*a*.*v*", "a.env"}) {
    EXPECT_TRUE(matches("a.env", pattern)) << pattern;
  }
  EXPECT_TRUE(matches("aab", "*ab"));
  EXPECT_TRUE(matches("abcabd", "a*ab?"));
  for (const auto* pattern : {"*.en", "b*", "a*x", "*.env?", "", "a.env.*"}) {
    EXPECT_FALSE(matches("a.env", pattern)) << pattern;
  }
  EXPECT_FALSE(matches("folder/a.env", "*.env"));
  EXPECT_TRUE(matches("folder/a.env", "*/*.env"));
}

TEST(HiddenPaths, TwoStarsCrossFolders) {
  for (const auto* name : {"a.env", "x/a.env", "x/y/a.env"}) EXPECT_TRUE(matches(name, "**/*.env")) << name;
  EXPECT_FALSE(matches("x/y/a.txt", "**/*.env"));
  EXPECT_TRUE(matches("x/y/z", "x/**/z"));
  EXPECT_FALSE(matches("x/y/z", "x/**/y"));
}

TEST(HiddenPaths, BracketsAreOneCharacter) {
  EXPECT_TRUE(matches("a1", "a[0-9]"));
  EXPECT_FALSE(matches("ax", "a[0-9]"));
  EXPECT_TRUE(matches("ax", "a[!0-9]"));
  EXPECT_FALSE(matches("a1", "a[^0-9]"));
  EXPECT_TRUE(matches("a-", "a[-x]"));
  EXPECT_TRUE(matches("a-", "a[x-]"));
  EXPECT_TRUE(matches("a]", "a[]x]"));
  EXPECT_FALSE(matches("a]", "a[!]x]"));
  EXPECT_TRUE(matches("ay", "a[!]x]"));
  EXPECT_FALSE(matches("a", "a[0-9]"));
  EXPECT_TRUE(matches("a[0", "a[0"));
  EXPECT_FALSE(matches("a0", "a[0"));
  EXPECT_TRUE(matches("[", "["));
}

TEST(HiddenPaths, NamesMadeToTakeLongDoNot) {
  // With a search that tries each star from everywhere this would not end.
  const std::string name(250, 'a');
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "*a";
  EXPECT_TRUE(matches(name, pattern));
  EXPECT_FALSE(matches(name, pattern + "b"));
}

}  // namespace
}  // namespace prx::sandbox
