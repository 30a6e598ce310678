#include <gtest/gtest.h>
#include <prx/result.hpp>

#include <string>

namespace prx {
namespace {

TEST(ResultDeathTest, ReadingTheWrongSideEndsTheProcessInsteadOfThrowing) {
  const auto read_value = [](Result<std::string> result) {
    try {
      (void)result.value();
      (void)*result;
      (void)result->size();
    } catch (...) {  // an exception would get here
    }
  };
  const auto read_error = [](Result<std::string> result) {
    try {
      (void)result.error();
    } catch (...) {
    }
  };
  EXPECT_DEATH(read_value(Error{}), "");
  EXPECT_DEATH(read_error(std::string("value")), "");
  EXPECT_DEATH(
      {
        try {
          Result<void>(Error{}).value();
        } catch (...) {
        }
      },
      "");
  read_value(std::string("value"));
  read_error(Error{});
}

}  // namespace
}  // namespace prx
