#pragma once

#include <cstdint>

#include "protocol/seccomp_rules.hpp"

namespace prx::init {

/// Answers the calls that the slot's filter has notified, with the errno of their rule, and counts them.
/// Never with "continue": what was looked at could be something else by then.
class Denials {
 public:
  explicit Denials(int listener) : listener_(listener) {}

  [[nodiscard]] int listener() const { return listener_; }
  /// Answers one call; the listener is readable.
  void answer();
  [[nodiscard]] std::uint32_t count(protocol::SeccompRule rule) const {
    return counts_[static_cast<std::size_t>(rule)];
  }

 private:
  int listener_;
  std::uint32_t counts_[protocol::kSeccompRules] = {};
};

}  // namespace prx::init
