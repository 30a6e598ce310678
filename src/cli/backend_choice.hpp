#pragma once

#include <string>

#include <prx/config.hpp>
#include <prx/result.hpp>

namespace prx::cli {

/// What the choice of a backend comes to with this configuration, and why.
struct BackendDecision {
  std::string backend;  ///< empty when there is none
  std::string reason;   ///< what create_runtime said on the way

  [[nodiscard]] std::string text() const;
};

/// Makes the runtime that `config` asks for, runs nothing in it, and keeps what was said about it.
[[nodiscard]] BackendDecision decide_backend(const Config& config);

}  // namespace prx::cli
