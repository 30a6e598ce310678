#include "sandbox/file_identity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace prx::sandbox {
namespace {

using protocol::PlannedMount;

/// An id-mapped tree: what belongs to its owner is the command's.
bool is_owned(const SlotPath& at) {
  return at.mount != nullptr && (at.mount->flags & PlannedMount::owned) != 0;
}

}  // namespace

bool FileIdentity::owns(const SlotPath& at) const {
  if (is_own()) return is_owned(at) && at.info->uid == at.mount->uid;
  return at.info->uid == blueprint_.policy.caller.uid;
}

bool FileIdentity::shares_group(const SlotPath& at) const {
  if (is_own()) return is_owned(at) && at.info->gid == at.mount->gid;
  const auto& caller = blueprint_.policy.caller;
  return at.info->gid == caller.gid ||
         std::find(caller.groups.begin(), caller.groups.end(), at.info->gid) != caller.groups.end();
}

bool FileIdentity::may(const SlotPath& at, unsigned bits) const {
  const unsigned mode = at.info->mode;
  const unsigned granted = owns(at) ? mode >> 6U : shares_group(at) ? mode >> 3U : mode;
  return (granted & bits) == bits;
}

std::string octal(std::uint32_t mode) {
  return fmt::format("{:04o}", mode & 07777U);
}

}  // namespace prx::sandbox
