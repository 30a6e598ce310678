#pragma once

#include <algorithm>
#include <chrono>

namespace prx::base {

/// A point in time by which something must be over, by the monotonic clock.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] static Deadline after(std::chrono::milliseconds time) { return Deadline(Clock::now() + time); }

  [[nodiscard]] bool has_passed() const { return Clock::now() >= at_; }
  /// For poll(): rounded up, so that waiting it out never ends just before the deadline; 0 once it has passed.
  [[nodiscard]] int poll_timeout() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - Clock::now()).count();
    return static_cast<int>(std::clamp<decltype(left)>(left, 0, 1 << 30));
  }
  [[nodiscard]] Deadline sooner(std::chrono::milliseconds time) const {
    return Deadline(std::min(at_, Clock::now() + time));
  }

 private:
  explicit Deadline(Clock::time_point at) : at_(at) {}

  Clock::time_point at_;
};

}  // namespace prx::base
