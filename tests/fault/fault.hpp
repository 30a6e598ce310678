#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <prx/prx.hpp>

#include "support/leak_check.hpp"
#include "support/proc_table.hpp"

namespace prx::test {

/// The test is the process that orphans come to, so that whatever a killed process leaves behind is a child
/// of it.
class Fault : public LeakChecked {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] std::unique_ptr<RuntimeAdapter> make_runtime(HostKind host = HostKind::library) const;
  [[nodiscard]] ExecutionRequest shell(std::string line) const;
  [[nodiscard]] ExecutionRequest program(std::string file, std::vector<std::string> args = {}) const;
  [[nodiscard]] ExecutionRequest noop(int code = 0) const;

  /// Whether within a second no process of this test is left, wherever it went.
  [[nodiscard]] static bool nothing_left();
  /// Of this process's spawner; 0 where there is none.
  [[nodiscard]] static pid_t spawner();
  /// The inits of this process's spawner.
  [[nodiscard]] static std::vector<pid_t> inits();

  /// From a seed that is printed; PRX_TEST_SEED repeats a run.
  [[nodiscard]] int random_below(int bound) {
    return static_cast<int>(random_() % static_cast<unsigned>(bound));
  }

 private:
  std::mt19937 random_;
};

[[nodiscard]] std::string fault_host_path();

/// The current directory of this process and of what it starts, for as long as it lives.
class InDirectory {
 public:
  explicit InDirectory(const std::string& directory);
  ~InDirectory();
  InDirectory(const InDirectory&) = delete;
  InDirectory& operator=(const InDirectory&) = delete;

 private:
  std::string before_;
};

/// Runs `body` in a child process of its own and gives its exit status; what it changes of itself goes with
/// it. A failed EXPECT in it is printed and makes the status 1.
[[nodiscard]] int in_child(const std::function<void()>& body);

/// How often: fewer times in the builds that are many times slower.
[[nodiscard]] int times(int in_a_plain_build);

}  // namespace prx::test
