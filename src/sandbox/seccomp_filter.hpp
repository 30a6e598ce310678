#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <map>
#include <vector>

#include "os/syscall_numbers.hpp"
#include "protocol/seccomp_denials.hpp"

namespace prx::sandbox {

/// A verdict on calls whose arguments pass all tests.
struct ArgumentRule {
  std::vector<protocol::WordTest> tests;
  std::uint32_t action = 0;  ///< SECCOMP_RET_*

  bool operator==(const ArgumentRule&) const = default;
};

/// The first rule that matches decides; `action` where none does.
struct CallVerdict {
  std::vector<ArgumentRule> rules;
  std::uint32_t action = 0;  ///< SECCOMP_RET_*

  bool operator==(const CallVerdict&) const = default;
};

struct SeccompTable {
  os::Architecture architecture = os::kArchitecture;
  std::map<std::uint32_t, CallVerdict> calls;
  std::uint32_t unlisted = 0;  ///< for numbers that `calls` has not
  std::uint32_t foreign = 0;   ///< for calls of another architecture, and of x32
};

/// The table as a program: one binary search over ranges of equal verdict. The kernel runs it for every known
/// number when it is installed, to learn what it may allow without asking, so its depth is paid at each
/// start.
[[nodiscard]] std::vector<sock_filter> assemble(const SeccompTable& table);

}  // namespace prx::sandbox
