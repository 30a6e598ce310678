#include "protocol/slot_plan.hpp"

namespace prx::protocol {
namespace {

constexpr std::size_t kFilterStep = 8;                  // sizeof(struct sock_filter)
constexpr std::size_t kMaxFilter = 4096 * kFilterStep;  // BPF_MAXINSNS

template <class Entry>
PlanList<Entry> read_list(std::span<const std::byte> bytes, Reader& reader) {
  PlanList<Entry> list;
  list.count = reader.u32();
  const auto begin = bytes.size() - reader.left();
  for (std::uint32_t i = 0; i < list.count && reader.ok(); ++i) {
    Entry entry;
    read(reader, entry);
  }
  list.encoded = bytes.subspan(begin, bytes.size() - reader.left() - begin);
  return list;
}

StringList read_strings(std::span<const std::byte> bytes, Reader& reader) {
  StringList list;
  list.count = reader.u32();
  const auto begin = bytes.size() - reader.left();
  for (std::uint32_t i = 0; i < list.count && reader.ok(); ++i) reader.string();
  list.encoded = bytes.subspan(begin, bytes.size() - reader.left() - begin);
  return list;
}

bool mounts_are_sound(const PlanList<PlannedMount>& mounts) {
  bool sound = true;
  mounts.for_each([&sound](const PlannedMount& mount) {
    sound = sound && mount.kind <= PlannedMount::Kind::terminals && mount.flags < 16 &&
            mount.target.starts_with('/');
  });
  return sound;
}

bool controls_are_sound(const PlanList<ControlValue>& controls) {
  bool sound = true;
  controls.for_each([&sound](const ControlValue& control) {
    sound = sound && static_cast<std::size_t>(control.hierarchy) < kHierarchies;
  });
  return sound;
}

}  // namespace

void read(Reader& reader, PlannedMount& mount) noexcept {
  mount.kind = static_cast<PlannedMount::Kind>(reader.u8());
  mount.flags = reader.u8();
  mount.mode = reader.u16();
  mount.uid = reader.u32();
  mount.gid = reader.u32();
  mount.device = reader.u64();
  mount.inode = reader.u64();
  mount.source = reader.string();
  mount.target = reader.string();
}

void read(Reader& reader, PathAccess& rule) noexcept {
  rule.path = reader.string();
  rule.access = reader.u64();
}

void read(Reader& reader, PlannedRlimit& limit) noexcept {
  limit.resource = reader.u8();
  limit.soft = reader.u64();
  limit.hard = reader.u64();
}

void read(Reader& reader, ControlValue& control) noexcept {
  control.hierarchy = static_cast<Hierarchy>(reader.u8());
  control.required = reader.u8() != 0;
  control.file = reader.string();
  control.value = reader.string();
}

bool decode_plan(std::span<const std::byte> bytes, SlotPlan& plan) noexcept {
  Reader reader(bytes);
  plan.confinement = static_cast<Confinement>(reader.u8());
  plan.own_network = reader.u8() != 0;
  plan.high_id = reader.u8() != 0;
  plan.observe = reader.u8() != 0;
  plan.uid = reader.u32();
  plan.gid = reader.u32();
  plan.tmpfs_bytes = reader.u64();
  plan.mounts = read_list<PlannedMount>(bytes, reader);
  plan.landlock_fs = reader.u64();
  plan.landlock_net = reader.u64();
  plan.landlock_scoped = reader.u64();
  plan.path_rules = read_list<PathAccess>(bytes, reader);
  plan.filter = reader.bytes();
  plan.rlimits = read_list<PlannedRlimit>(bytes, reader);
  plan.controls = read_list<ControlValue>(bytes, reader);
  plan.watch.memory_bytes = reader.u64();
  plan.watch.cpu_us = reader.u64();
  plan.watch.cpus = reader.u32();
  plan.watch.terminals = reader.u8() != 0;
  plan.launcher = read_strings(bytes, reader);
  return reader.finished() && plan.confinement <= Confinement::launcher &&
         plan.filter.size() % kFilterStep == 0 && plan.filter.size() <= kMaxFilter &&
         mounts_are_sound(plan.mounts) && controls_are_sound(plan.controls);
}

}  // namespace prx::protocol
