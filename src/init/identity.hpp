#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/slot_plan.hpp"

namespace prx::init {

/// Who a command of a root host is outside: an id that nobody else has, and for each owner of a tree that it
/// is granted a user namespace that maps the owner's files to it (mount_setattr(2), MOUNT_ATTR_IDMAP).
struct Identity {
  static constexpr std::size_t kMaxOwners = 4;
  struct Owner {
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    int user_namespace = -1;
  };

  std::uint32_t id = 0;  ///< 0: the ids of the host
  Owner owners[kMaxOwners];
  std::size_t count = 0;

  /// The user namespace for files of these ids, -1 for none.
  [[nodiscard]] int find(std::uint32_t uid, std::uint32_t gid) const;
  void close();
};

/// Makes an identity for a plan with high_id; its descriptors are the caller's. Returns 0 or -errno.
[[nodiscard]] long make_identity(const protocol::SlotPlan& plan, std::uint32_t id, Identity& identity);

/// The calling process becomes `identity` in a user namespace of its own, without any capability there or
/// elsewhere, for good. Returns 0 or -errno.
[[nodiscard]] long become(const protocol::SlotPlan& plan, const Identity& identity);

/// For a slot without a user namespace: the calling process becomes the plan's ids where it is root and they
/// are not, loses every capability, and can gain none. Returns 0 or -errno.
[[nodiscard]] long become_host_ids(const protocol::SlotPlan& plan);

/// Where the calling process is root and the plan's ids are not, it becomes them, and keeps no capability.
/// Returns 0 or -errno.
[[nodiscard]] long leave_root(const protocol::SlotPlan& plan);

/// Writes maps of one id each for the calling process: `inside` is `outside`. Returns 0 or -errno.
[[nodiscard]] long map_own_ids(std::uint32_t inside_uid, std::uint32_t inside_gid, std::uint32_t outside_uid,
                               std::uint32_t outside_gid);

}  // namespace prx::init
