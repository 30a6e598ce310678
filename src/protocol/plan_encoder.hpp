#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/slot_plan.hpp"

namespace prx::protocol {

/// What the host fills in; the owning twin of PlannedMount.
struct MountFields {
  PlannedMount::Kind kind = PlannedMount::Kind::bind;
  std::uint8_t flags = 0;
  std::uint16_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string source;
  std::string target;

  friend bool operator==(const MountFields&, const MountFields&) = default;
};

struct PathAccessFields {
  std::string path;
  std::uint64_t access = 0;

  friend bool operator==(const PathAccessFields&, const PathAccessFields&) = default;
};

struct ControlFields {
  Hierarchy hierarchy = Hierarchy::unified;
  bool required = false;
  std::string file;
  std::string value;

  friend bool operator==(const ControlFields&, const ControlFields&) = default;
};

/// The owning twin of SlotPlan; see there.
struct PlanFields {
  Confinement confinement = Confinement::none;
  bool own_network = false;
  bool high_id = false;
  bool observe = false;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t tmpfs_bytes = 0;
  std::vector<MountFields> mounts;
  std::uint64_t landlock_fs = 0;
  std::uint64_t landlock_net = 0;
  std::uint64_t landlock_scoped = 0;
  std::vector<PathAccessFields> path_rules;
  std::string filter;  ///< the bytes of struct sock_filter
  std::vector<PlannedRlimit> rlimits;
  std::vector<ControlFields> controls;
  PlannedWatch watch;
  std::vector<std::string> launcher;
};

/// The plan as decode_plan() reads it. Strings must hold no NUL.
[[nodiscard]] std::string encode_plan(const PlanFields& plan);

}  // namespace prx::protocol
