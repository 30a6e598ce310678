#pragma once

#include <string_view>

#include "init/text.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::init {

/// A text that may begin with protocol::kSlotFolder, with the folder itself in its place.
class SlotPath {
 public:
  SlotPath(std::string_view text, std::string_view folder) : text_(text) {
    if (!begins_with_folder(text)) return;
    text.remove_prefix(protocol::kSlotFolder.size());
    expanded_.put(folder).put(text);
    text_ = {expanded_.c_str(), expanded_.size()};
  }
  SlotPath(const SlotPath&) = delete;
  SlotPath& operator=(const SlotPath&) = delete;

  [[nodiscard]] static bool begins_with_folder(std::string_view text) {
    return text.starts_with(protocol::kSlotFolder);
  }
  [[nodiscard]] bool ok() const { return !expanded_.full(); }
  /// Texts of a plan and of a request end with a NUL.
  [[nodiscard]] const char* c_str() const { return text_.data(); }

 private:
  Text<4096> expanded_;
  std::string_view text_;
};

}  // namespace prx::init
