#pragma once

#include <cstdint>
#include <string_view>

#include "init/text.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::init {

/// The path of a slot's own folder; empty: it has none.
using FolderPath = Text<256>;

/// The folders of one spawner's slots: what a slot without a mount namespace has for its home and its temporary
/// files. They lie in `<base>/prx-slots-<user>/<random>`, which is locked for as long as the spawner or a slot
/// of it lives, so that a later spawner finds what a killed one could not remove.
class SlotFolders {
 public:
  /// Removes what was forgotten, and makes the spawner's own. Returns 0 or -errno.
  long open(std::string_view base);
  [[nodiscard]] bool is_open() const { return directory_ >= 0; }

  /// For the slot: makes its folder, with the plan's entries in it, all of them the property of `uid` and
  /// `gid`. Returns 0, or -errno with what it is about.
  long make(const protocol::SlotPlan& plan, std::uint32_t slot, std::uint32_t uid, std::uint32_t gid,
            FolderPath& path, std::string_view& subject) const;
  /// Removes it with all that is in it, as far as the calling process may. The slot's processes must have
  /// ended. A command may leave any number of files: for the slot itself, or a process of its own.
  void remove(std::uint32_t slot) const;
  /// Whether there is something of the slot.
  [[nodiscard]] bool has(std::uint32_t slot) const;
  /// Removes all of it, for a spawner whose slots have ended.
  void close();

 private:
  int users_ = -1;      // <base>/prx-slots-<user>
  int directory_ = -1;  // below it
  Text<32> name_;
  FolderPath path_;
};

}  // namespace prx::init
