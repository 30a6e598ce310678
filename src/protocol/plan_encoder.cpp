#include "protocol/plan_encoder.hpp"

#include <span>

namespace prx::protocol {
namespace {

/// Like Writer, into a string that grows.
class Growing {
 public:
  void u8(std::uint8_t value) { integer(value, 1); }
  void u16(std::uint16_t value) { integer(value, 2); }
  void u32(std::size_t value) { integer(value, 4); }
  void u64(std::uint64_t value) { integer(value, 8); }
  void flag(bool value) { u8(value ? 1 : 0); }
  void bytes(const std::string& value) {
    u32(value.size());
    text_ += value;
  }
  void string(const std::string& value) {
    bytes(value);
    text_ += '\0';
  }
  template <class T, class F>
  void list(const std::vector<T>& entries, F&& write) {
    u32(entries.size());
    for (const auto& entry : entries) write(entry);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void integer(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) text_ += static_cast<char>((value >> (8U * i)) & 0xFFU);
  }

  std::string text_;
};

void write_mount(Growing& to, const MountFields& mount) {
  to.u8(static_cast<std::uint8_t>(mount.kind));
  to.u8(mount.flags);
  to.u16(mount.mode);
  to.u32(mount.uid);
  to.u32(mount.gid);
  to.u64(mount.device);
  to.u64(mount.inode);
  to.string(mount.source);
  to.string(mount.target);
}

void write_control(Growing& to, const ControlFields& control) {
  to.u8(static_cast<std::uint8_t>(control.hierarchy));
  to.flag(control.required);
  to.string(control.file);
  to.string(control.value);
}

}  // namespace

std::string encode_plan(const PlanFields& plan) {
  Growing to;
  to.u8(static_cast<std::uint8_t>(plan.confinement));
  to.flag(plan.own_network);
  to.flag(plan.high_id);
  to.flag(plan.observe);
  to.u32(plan.uid);
  to.u32(plan.gid);
  to.u64(plan.tmpfs_bytes);
  to.list(plan.mounts, [&to](const MountFields& mount) { write_mount(to, mount); });
  to.u64(plan.landlock_fs);
  to.u64(plan.landlock_net);
  to.u64(plan.landlock_scoped);
  to.list(plan.path_rules, [&to](const PathAccessFields& rule) {
    to.string(rule.path);
    to.u64(rule.access);
  });
  to.bytes(plan.filter);
  to.list(plan.rlimits, [&to](const PlannedRlimit& limit) {
    to.u8(limit.resource);
    to.u64(limit.soft);
    to.u64(limit.hard);
  });
  to.list(plan.controls, [&to](const ControlFields& control) { write_control(to, control); });
  to.u64(plan.watch.memory_bytes);
  to.u64(plan.watch.cpu_us);
  to.u32(plan.watch.cpus);
  to.flag(plan.watch.terminals);
  to.list(plan.launcher, [&to](const std::string& word) { to.string(word); });
  return to.take();
}

}  // namespace prx::protocol
