#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <prx/runtime.hpp>
#include <prx/runtimes.hpp>

#include "support/leak_check.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {

/// A runtime of the WASM backend over the modules of this build, made on first use from `config_`.
class WasmTest : public LeakChecked {
 protected:
  void SetUp() override {
    LeakChecked::SetUp();
    setenv("XDG_CACHE_HOME", caches_.path().c_str(), 1);
    setenv("XDG_STATE_HOME", caches_.path().c_str(), 1);
    config_.runtime.backend = BackendChoice::wasm;
    config_.runtime.wasm.module_path = PRX_TEST_MODULES;
    config_.workspace = workspace_.path();
  }
  void TearDown() override {
    runtime_.reset();
    LeakChecked::TearDown();
  }

  RuntimeAdapter& runtime() {
    if (!runtime_) {
      auto made = create_runtime(config_);
      if (!made) {
        ADD_FAILURE() << made.error().message();
        std::abort();
      }
      runtime_ = std::move(made).value();
    }
    return *runtime_;
  }

  void renew_runtime() { runtime_.reset(); }

  [[nodiscard]] static ExecutionRequest guest(std::vector<std::string> args) {
    ExecutionRequest request;
    request.command = Program{"guest", std::move(args)};
    request.timeout = std::chrono::seconds(30);
    return request;
  }

  ExecutionOutput run(ExecutionRequest request) {
    auto result = runtime().execute(std::move(request));
    if (result) return std::move(result).value();
    ADD_FAILURE() << "not run: " << result.error().message();
    return {};
  }
  ExecutionOutput run_guest(std::vector<std::string> args) { return run(guest(std::move(args))); }

  Error must_fail(ExecutionRequest request) {
    auto result = runtime().execute(std::move(request));
    if (!result) return std::move(result).error();
    ADD_FAILURE() << "it ran: " << result->out.bytes;
    return {};
  }

  Config config_;
  TempDir workspace_;
  TempDir caches_;  ///< of this test alone

 private:
  std::unique_ptr<RuntimeAdapter> runtime_;
};

}  // namespace prx::test
