#include <gtest/gtest.h>

#include "core/environment.hpp"

namespace prx::core {
namespace {

using Strings = std::vector<std::string>;
using Variables = std::vector<EnvVar>;

TEST(Environment, LoaderVariables) {
  for (const auto* name : {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS",
                           "PYTHONPATH", "PYTHONSTARTUP", "RUBYOPT", "PERL5OPT", "BASH_ENV", "ENV"}) {
    EXPECT_TRUE(is_loader_variable(name)) << name;
  }
  for (const auto* name :
       {"", "LD", "XLD_PRELOAD", "PATH", "PYTHONPATH2", "ENVIRONMENT", "env", "BASH", "NODE_ENV"}) {
    EXPECT_FALSE(is_loader_variable(name)) << name;
  }
}

TEST(Environment, OnlyListedVariablesPassAndTheRestIsCounted) {
  const Strings host{
      "PATH=/bin", "SECRET=1", "LD_PRELOAD=x", "EMPTY=", "EQUALS=a=b", "NO_SEPARATOR", "PATHX=1", "=odd"};
  const Strings list{"PATH", "LD_PRELOAD", "EMPTY", "EQUALS", "NO_SEPARATOR", "ABSENT"};
  const auto filtered = filter_environment(host, list);
  EXPECT_EQ(filtered.passed, (Variables{{"PATH", "/bin"}, {"EMPTY", ""}, {"EQUALS", "a=b"}}));
  EXPECT_EQ(filtered.withheld, 5U);
  EXPECT_TRUE(filter_environment(host, Strings{}).passed.empty());
}

TEST(Environment, TheLaterWinsInTheFirstOnesPlace) {
  const Variables base{{"A", "1"}, {"B", "2"}};
  const Variables over{{"C", "3"}, {"A", "4"}, {"C", "5"}};
  EXPECT_EQ(merge_environment(base, over), (Variables{{"A", "4"}, {"B", "2"}, {"C", "5"}}));
  EXPECT_EQ(merge_environment({}, over), (Variables{{"C", "5"}, {"A", "4"}}));
  EXPECT_EQ(merge_environment(base, {}), base);
}

TEST(Environment, ImpossibleVariablesAreRefused) {
  EXPECT_TRUE(check_variable({"A", ""}));
  EXPECT_TRUE(check_variable({"a.b-c", "x=y"}));
  for (const auto& variable : {EnvVar{"", "x"}, EnvVar{"A=", "x"}, EnvVar{std::string("A\0", 2), "x"},
                               EnvVar{"A", std::string("\0", 1)}}) {
    const auto checked = check_variable(variable);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().kind, ErrorKind::invalid_request);
    EXPECT_EQ(checked.error().step, "env");
    EXPECT_EQ(checked.error().subject.find('\0'), std::string::npos);
  }
}

}  // namespace
}  // namespace prx::core
