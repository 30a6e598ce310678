#pragma once

#include <functional>
#include <optional>
#include <string>

#include "protocol/plan_encoder.hpp"
#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// Where a path leads inside.
struct SlotPath {
  std::string path;                              ///< links resolved, as far as it leads
  const protocol::MountFields* mount = nullptr;  ///< what it lies in; none: a folder that only holds others
  std::string host_path;                         ///< of the host's file behind it; empty: made for the slot
  std::optional<FileInfo> info;                  ///< that file
  bool exists = false;
  bool parent_exists = true;  ///< so that something could be made there
  bool is_loop = false;
};

/// The tree of a slot as its plan makes it, links followed as the kernel follows them inside: a link of the
/// host leads to what the slot has at that place. A plan without mounts leaves the host's own tree.
///
/// Refers to the plan and the host.
class SlotTree {
 public:
  /// Called for each folder on the way, before what is in it.
  using Visit = std::function<void(const SlotPath&)>;

  SlotTree(const protocol::PlanFields& plan, const HostView& host) : plan_(plan), host_(host) {}

  /// `path` is absolute.
  [[nodiscard]] SlotPath find(const std::string& path, const Visit& visit = {}) const;

 private:
  [[nodiscard]] SlotPath look(std::string path) const;
  [[nodiscard]] const protocol::MountFields* deciding(const std::string& path) const;
  [[nodiscard]] bool holds_a_mount(const std::string& path) const;
  [[nodiscard]] bool is_in_own_proc(const std::string& path) const;
  /// Where it points; empty for anything but a link.
  [[nodiscard]] std::string link_text(const SlotPath& at) const;

  const protocol::PlanFields& plan_;
  const HostView& host_;
};

}  // namespace prx::sandbox
