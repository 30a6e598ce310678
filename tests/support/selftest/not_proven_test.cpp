#include "support/not_proven.hpp"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

/// The variable at another value, put back at the end: the real list must not get the lines of this test.
class ListAt {
 public:
  explicit ListAt(const std::string& path) {
    if (const char* old = std::getenv("PRX_NOT_PROVEN_FILE")) old_ = old;
    setenv("PRX_NOT_PROVEN_FILE", path.c_str(), 1);
  }
  ~ListAt() {
    unsetenv("PRX_NOT_PROVEN_FILE");
    if (old_) setenv("PRX_NOT_PROVEN_FILE", old_->c_str(), 1);
  }
  ListAt(const ListAt&) = delete;
  ListAt& operator=(const ListAt&) = delete;

 private:
  std::optional<std::string> old_;
};

TEST(NotProven, AppendsOneLineEach) {
  const TempDir dir;
  const ListAt list(dir / "list");
  not_proven("first.thing", "no such device");
  not_proven("second.thing", "not root");
  EXPECT_EQ(read_file(dir / "list"), "first.thing\tno such device\nsecond.thing\tnot root\n");
}

}  // namespace
}  // namespace prx::test
