#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace prx::test {

/// What an execution could leave behind, each as a line for a person.
struct LeakSnapshot {
  std::set<std::string> fds;        ///< open descriptors of this process
  std::set<std::string> children;   ///< children of this process, zombies too
  std::set<std::string> processes;  ///< system-wide, with the marker in environment or command line
  std::set<std::string> mounts;     ///< mounts of this namespace with "prx" in their line
  /// Control groups named prx-*. One whose first number is the id of a living process outside this
  /// test's tree belongs to a test that runs beside this one, and is left out.
  std::set<std::string> cgroups;
};

[[nodiscard]] LeakSnapshot take_snapshot(std::string_view marker);

/// What is in `after` and was not in `before`; empty when nothing leaked.
[[nodiscard]] std::vector<std::string> leaks_between(const LeakSnapshot& before, const LeakSnapshot& after);

/// A text that occurs in no other process's environment or command line.
[[nodiscard]] std::string make_marker();

/// A fixture whose tests fail when they leave something behind. What ends by itself within a second
/// after the test is no leak. Give commands the marker, so that theirs are found wherever they went:
/// env PRX_TEST_MARK=marker(), which is also set in this process's own environment.
class LeakChecked : public ::testing::Test {
 protected:
  LeakChecked();
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] const std::string& marker() const noexcept { return marker_; }
  /// For a test that makes what is meant to stay (a process-wide thread, say): counts from here.
  void take_baseline();

  static constexpr std::chrono::milliseconds kGrace{1000};

 private:
  [[nodiscard]] std::vector<std::string> leaks_that_stay() const;

  std::string marker_;
  LeakSnapshot before_;
};

}  // namespace prx::test
