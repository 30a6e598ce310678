#pragma once

namespace prx::test {

/// While it lives, the `nth` allocation from now on fails, once, whichever thread makes it.
class FailingAllocation {
 public:
  explicit FailingAllocation(long nth);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether there were as many.
  [[nodiscard]] static bool has_failed();
};

}  // namespace prx::test
