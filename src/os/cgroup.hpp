#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace prx::os {

/// What the kernel tells a process of its control groups: /proc/self/mountinfo and /proc/self/cgroup.
struct CgroupTexts {
  std::string mountinfo;
  std::string cgroup;
};
[[nodiscard]] CgroupTexts read_cgroup_texts();

/// The directory of the process's own group in the v2 tree (`controller` empty) or in a v1 hierarchy; empty
/// where there is none, or it is not shown. Pure.
[[nodiscard]] std::string cgroup_directory(const CgroupTexts& texts, std::string_view controller);

/// Where this process may make groups. A controller is on one tree only: v1 where it is mounted there.
struct CgroupPlaces {
  std::string unified;          ///< v2: groups that end and count a tree; empty: none
  bool unified_memory = false;  ///< a group made there can limit memory
  bool unified_pids = false;    ///< … tasks
  std::string memory;           ///< v1
  std::string pids;             ///< v1

  /// As protocol::Hierarchy counts them.
  [[nodiscard]] std::array<const std::string*, 3> directories() const { return {&unified, &memory, &pids}; }
};

/// Whose tree it is, as far as that decides where groups may be made.
struct CgroupOwner {
  bool is_root = false;  ///< may write everywhere, so that writing proves no delegation
  bool systemd = false;  ///< all that it has not delegated is its own
};
[[nodiscard]] CgroupOwner current_cgroup_owner();

/// Looks at the directories that the texts name. In v2 a group that has processes cannot have groups with
/// limits below it, so beside the own group the one above it is tried, where it is delegated: whoever wants
/// limits there stands in a leaf (systemd's Delegate=yes and DelegateSubgroup=). Controllers that a
/// directory has and does not pass on are switched on where the kernel lets it.
[[nodiscard]] CgroupPlaces find_cgroup_places(const CgroupTexts& texts, CgroupOwner owner);

}  // namespace prx::os
