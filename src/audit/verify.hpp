#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <prx/result.hpp>

#include "audit/chain.hpp"

namespace prx::audit {

struct Verification {
  std::uint64_t records = 0;          ///< that are there
  std::vector<std::string> problems;  ///< "audit.jsonl:12: …": changed, missing, swapped, cut
  std::vector<std::string> notes;     ///< what a killed writer or a rotation explains
};

/// Reads the whole log, the rotated files first. `each` is called for every good record, in order.
/// Error of step "audit": there is no log, or it cannot be read.
[[nodiscard]] Result<Verification> verify(
    const std::string& path, const std::function<void(const Record&, std::string_view line)>& each);

}  // namespace prx::audit
