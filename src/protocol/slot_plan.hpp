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
  launcher,    ///< another sandbox program starts the slot inside, as `launcher` says
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

struct PlannedRlimit {
  std::uint8_t resource = 0;  ///< RLIMIT_*
  std::uint64_t value = 0;    ///< soft and hard
};

/// One setting of the slot's group.
struct ControlValue {
  std::uint8_t hierarchy = 0;  ///< which of the directories that the spawner was given
  bool required = false;       ///< without it there is no slot
  std::string_view file;       ///< "memory.max"
  std::string_view value;
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

/// Stands for the slot's own folder at the beginning of a path of `path_rules` and of a variable's value: only
/// the slot knows which it is.
inline constexpr std::string_view kSlotFolder = "%prx-slot%";

/// The confinement of a slot. Nothing here depends on the command.
struct SlotPlan {
  Confinement confinement = Confinement::none;
  bool own_network = false;  ///< a network namespace with nothing but a loopback
  bool high_id = false;      ///< the host is root: the command gets an id that nobody else has
  bool observe = false;      ///< the filter notifies: prx-init answers and counts denials
  std::uint32_t uid = 0;     ///< as the command sees itself
  std::uint32_t gid = 0;
  std::uint64_t tmpfs_bytes = 0;  ///< what private directories may hold; 0: the kernel's default
  /// Where slots without a root of their own get a folder of their own, made of the entries of `mounts`, whose
  /// targets lie in it then; empty: nowhere.
  std::string_view folder;
  PlanList<PlannedMount> mounts;
  std::uint64_t landlock_fs = 0;  ///< rights that are handled; 0: no Landlock
  std::uint64_t landlock_net = 0;
  std::uint64_t landlock_scoped = 0;
  PlanList<PathAccess> path_rules;
  std::span<const std::byte> filter;  ///< struct sock_filter, empty: none
  PlanList<PlannedRlimit> rlimits;
  PlanList<ControlValue> controls;
  StringList launcher;  ///< argv of the program that starts the slot; prx-init and its role follow
};

inline constexpr std::size_t kMaxPlan = 4U << 20U;

/// The views point into `bytes`. False when it is not exactly one well-formed plan.
[[nodiscard]] bool decode_plan(std::span<const std::byte> bytes, SlotPlan& plan) noexcept;

}  // namespace prx::protocol
