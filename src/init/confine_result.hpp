#pragma once

#include <string_view>

#include "protocol/trailer.hpp"

namespace prx::init {

/// A step of confining that failed; the subject points into the plan.
struct ConfineResult {
  protocol::Step step = protocol::Step::none;
  int error = 0;
  std::string_view subject{};

  [[nodiscard]] bool ok() const { return step == protocol::Step::none; }
};

}  // namespace prx::init
