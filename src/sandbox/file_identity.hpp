#pragma once

#include <cstdint>
#include <string>

#include "sandbox/blueprint.hpp"
#include "sandbox/slot_tree.hpp"

namespace prx::sandbox {

inline constexpr unsigned kRead = 4;
inline constexpr unsigned kWrite = 2;
inline constexpr unsigned kSearch = 1;  ///< of a folder; of a file: execution

/// Who a command is to the permission bits of files. Access control lists are not read.
class FileIdentity {
 public:
  explicit FileIdentity(const Blueprint& blueprint) : blueprint_(blueprint) {}

  /// Whether it is another one than the caller's, so that files may refuse it what they allow the caller.
  [[nodiscard]] bool is_own() const noexcept { return blueprint_.plan.high_id; }
  /// `at.info` is there.
  [[nodiscard]] bool may(const SlotPath& at, unsigned bits) const;
  /// `at.info` is there.
  [[nodiscard]] bool owns(const SlotPath& at) const;

 private:
  [[nodiscard]] bool shares_group(const SlotPath& at) const;

  const Blueprint& blueprint_;
};

/// "0640"
[[nodiscard]] std::string octal(std::uint32_t mode);

}  // namespace prx::sandbox
