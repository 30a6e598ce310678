#pragma once

#include <array>
#include <cstdint>

#include "protocol/seccomp_rules.hpp"

namespace prx::init {

/// Denials that the filter has told, by rule.
class DenialCount {
 public:
  /// Answers one call, when poll(2) has said POLLIN for the listener: an errno, never leave to go on. False
  /// when nothing more will come: the listener is to be closed.
  bool answer_one(int listener);

  [[nodiscard]] std::uint32_t of(protocol::SeccompRule rule) const {
    return counts_[static_cast<std::size_t>(rule)];
  }

 private:
  void count(protocol::SeccompRule rule);

  std::array<std::uint32_t, protocol::kSeccompRules> counts_{};
};

}  // namespace prx::init
