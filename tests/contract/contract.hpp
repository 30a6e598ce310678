#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <prx/runtime.hpp>

#include "contract/backend_under_test.hpp"
#include "support/leak_check.hpp"

namespace prx::test {

/// What every test of the contract has: one runtime, made on first use from `config_`, and gone before the
/// leak check looks.
class RuntimeChecked : public LeakChecked {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] virtual const BackendUnderTest& backend() const = 0;
  [[nodiscard]] RuntimeAdapter& runtime();
  void destroy_runtime() { runtime_.reset(); }

  /// Requests that carry the marker, and a timeout that only a hang reaches.
  [[nodiscard]] ExecutionRequest shell(std::string line) const;
  [[nodiscard]] ExecutionRequest program(std::string file, std::vector<std::string> args = {}) const;
  [[nodiscard]] ExecutionRequest probe(const std::string& name, std::vector<std::string> args = {}) const;

  /// The probe that every backend has.
  [[nodiscard]] ExecutionRequest portable(std::vector<std::string> args) const;

  /// Fails the test where there is no handle.
  [[nodiscard]] Execution start(ExecutionRequest request, ExecutionEvents events = {});

  /// Kills the prx-init of this test's command, from outside, once it has started a `sleep`; the thread ends
  /// with that.
  [[nodiscard]] std::jthread kill_the_init(std::chrono::milliseconds later = {}) const;

  /// Kills each prx-init of this test that has a command, or waits with one.
  static void kill_the_inits();

  Config config_;

 private:
  std::unique_ptr<RuntimeAdapter> runtime_;
};

/// For what is a request and a result: each test runs with execute() and with start() and wait().
class ExecutionContract : public RuntimeChecked, public ::testing::WithParamInterface<Variant> {
 protected:
  [[nodiscard]] const BackendUnderTest& backend() const override { return *GetParam().backend; }
  [[nodiscard]] Result<ExecutionOutput> run(ExecutionRequest request);
};

/// For what needs the handle of a running command.
class HandleContract : public RuntimeChecked, public ::testing::WithParamInterface<const BackendUnderTest*> {
 protected:
  [[nodiscard]] const BackendUnderTest& backend() const override { return *GetParam(); }
};

/// The output; a failure of the test and an empty output where there is an error.
[[nodiscard]] ExecutionOutput must_end(Result<ExecutionOutput> result);
/// The error; a failure of the test and an empty error where there is none.
[[nodiscard]] Error must_fail(Result<ExecutionOutput> result);
void must(const Result<void>& result);

[[nodiscard]] bool is_timed_out(const ExecutionOutput& output);
[[nodiscard]] bool is_cancelled(const ExecutionOutput& output);

/// A whole test that only a hang makes longer.
inline constexpr std::chrono::seconds kLong{30};
/// What ends at once ends within this, also on a busy machine.
inline constexpr std::chrono::seconds kAtOnce{5};

/// The backend's or the variant's name as the end of a test's name.
struct ParamName {
  template <class Param>
  std::string operator()(const ::testing::TestParamInfo<Param>& info) const {
    return name_of(info.param);
  }
};

/// Instantiates a suite of each kind: for every way to call a backend, every backend, every one that runs
/// several commands at once; of those that run this machine's programs, or of all.
#define PRX_CONTRACT_OF(suite, params) \
  INSTANTIATE_TEST_SUITE_P(Every, suite, ::testing::ValuesIn(params), prx::test::ParamName())
#define PRX_CONTRACT(suite) PRX_CONTRACT_OF(suite, prx::test::variants_of(prx::test::all_backends()))
#define PRX_HANDLE_CONTRACT(suite) PRX_CONTRACT_OF(suite, prx::test::every_one(prx::test::all_backends()))
#define PRX_CONCURRENT_CONTRACT(suite) \
  PRX_CONTRACT_OF(suite, prx::test::concurrent_ones(prx::test::all_backends()))
#define PRX_PORTABLE_CONTRACT(suite) \
  PRX_CONTRACT_OF(suite, prx::test::variants_of(prx::test::portable_backends()))
#define PRX_PORTABLE_HANDLE_CONTRACT(suite) \
  PRX_CONTRACT_OF(suite, prx::test::every_one(prx::test::portable_backends()))
#define PRX_PORTABLE_CONCURRENT_CONTRACT(suite) \
  PRX_CONTRACT_OF(suite, prx::test::concurrent_ones(prx::test::portable_backends()))

}  // namespace prx::test
