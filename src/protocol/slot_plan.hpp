// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/cursor.hpp"
#include "protocol/slot_request.hpp"

namespace prx::protocol {

/// How a slot is confined. The host plans it once for a runtime (src/sandbox), prx-init carries it out.
enum class Confinement : std::uint8_t {
  none,        ///< limits only
  namespaces,  ///< namespaces of its own, a root of its own, Landlock and seccomp
  landlock,    ///< Landlock and seccomp on the host's tree
  launcher,    ///< another sandbox program starts the slot inside
};

/// One entry of the slot's tree. Entries come parents first; each is placed below the new root, no symbolic
/// link followed, and nothing is ever created outside of it.
struct PlannedMount {
  enum class Kind : std::uint8_t {
    bind,       ///< `source` of the host, with what is mounted below it
    device,     ///< a device node of the host
    directory,  ///< empty and private; over what is there already, where something is
    file,       ///< private and read-only; `source` is what it holds
    symlink,    ///< `source` is where it points
    proc,       ///< a procfs of the slot's own processes
    terminals,  ///< a devpts of its own
  };
  enum Flag : std::uint8_t {
    writable = 1,
    optional = 2,  ///< left out where the source does not exist
    owned = 4,     ///< files of `uid` and `gid` belong to the command inside
    checked = 8,   ///< the source must be the file with `device` and `inode`
  };

  Kind kind = Kind::bind;
  std::uint8_t flags = 0;
  std::uint16_t mode = 0;  ///< directory, file
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string_view source;
  std::string_view target;  ///< absolute

  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags & flag) != 0; }
};

/// What Landlock allows below a path of the slot.
struct PathAccess {
  std::string_view path;
  std::uint64_t access = 0;  ///< LANDLOCK_ACCESS_FS_*
};

/// Set by the command's process for itself, between its clone and its exec: prx-init must be free of them.
struct PlannedRlimit {
  std::uint8_t resource = 0;  ///< RLIMIT_*
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;

  friend bool operator==(const PlannedRlimit&, const PlannedRlimit&) = default;
};

/// The trees of control groups that a slot can have a group in.
enum class Hierarchy : std::uint8_t {
  unified,  ///< v2: ends the tree, counts its cpu time; has limits where the controllers are delegated
  memory,   ///< v1
  pids,     ///< v1
};
inline constexpr std::size_t kHierarchies = 3;

/// One setting of the slot's group in one hierarchy.
struct ControlValue {
  Hierarchy hierarchy = Hierarchy::unified;
  bool required = false;  ///< without it there is no slot; otherwise a kernel may lack the file
  std::string_view file;  ///< "memory.max"
  std::string_view value;
};

/// What prx-init itself looks at while the command runs, since no kernel limit holds the whole tree to it.
struct PlannedWatch {
  std::uint64_t memory_bytes = 0;  ///< 0: not watched
  std::uint64_t cpu_us = 0;        ///< of all processes together; 0: not watched
  std::uint32_t cpus = 1;          ///< how fast cpu time can pass
  bool terminals = true;           ///< a command with a terminal is held to a limit of cpu time, too

  friend bool operator==(const PlannedWatch&, const PlannedWatch&) = default;
};

void read(Reader& reader, PlannedMount& mount) noexcept;
void read(Reader& reader, PathAccess& rule) noexcept;
void read(Reader& reader, PlannedRlimit& limit) noexcept;
void read(Reader& reader, ControlValue& control) noexcept;

/// A list inside an encoded plan; its form was checked by decode_plan().
template <class T>
struct PlanList {
  std::span<const std::byte> encoded;
  std::uint32_t count = 0;

  template <class F>
  void for_each(F&& visit) const {
    Reader reader(encoded);
    for (std::uint32_t i = 0; i < count; ++i) {
      T entry;
      read(reader, entry);
      visit(entry);
    }
  }
};

/// The confinement of a slot. Nothing here depends on the command.
struct SlotPlan {
  Confinement confinement = Confinement::none;
  bool own_network = false;  ///< a network namespace with nothing but a loopback
  bool high_id = false;      ///< the host is root: the command gets an id that nobody else has
  bool observe = false;      ///< the filter notifies: prx-init answers and counts denials
  std::uint32_t uid = 0;     ///< as the command sees itself
  std::uint32_t gid = 0;
  std::uint64_t tmpfs_bytes = 0;  ///< what private directories may hold; 0: the kernel's default
  PlanList<PlannedMount> mounts;
  std::uint64_t landlock_fs = 0;  ///< rights that are handled; 0: no Landlock
  std::uint64_t landlock_net = 0;
  std::uint64_t landlock_scoped = 0;
  PlanList<PathAccess> path_rules;
  std::span<const std::byte> filter;  ///< struct sock_filter, empty: none
  PlanList<PlannedRlimit> rlimits;
  PlanList<ControlValue> controls;
  PlannedWatch watch;
  StringList launcher;  ///< argv of the program that starts the slot
};

inline constexpr std::size_t kMaxPlan = 4U << 20U;

/// The views point into `bytes`. False when it is not exactly one well-formed plan.
[[nodiscard]] bool decode_plan(std::span<const std::byte> bytes, SlotPlan& plan) noexcept;

}  // namespace prx::protocol
