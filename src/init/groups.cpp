#include "init/groups.hpp"

#include "init/number_text.hpp"
#include "init/sys.hpp"

namespace prx::init {
namespace {

using os::CgroupLeaf;
using protocol::Hierarchy;
using protocol::Step;

const char* entrance_of(std::size_t hierarchy) {
  return hierarchy == 0 ? CgroupLeaf::kEntrance : CgroupLeaf::kEntranceV1;
}

ConfineResult failure(long error, std::string_view subject) {
  return {Step::limits, static_cast<int>(-error), subject};
}

/// The number after `key` in a file that is read from its beginning.
std::uint64_t read_number(int fd, std::string_view key) {
  char text[1024];
  const long size = fd < 0 ? 0 : raw_syscall(__NR_pread64, fd, as_arg(text), sizeof(text), 0);
  return size <= 0 ? 0 : number_after({text, static_cast<std::size_t>(size)}, key);
}

}  // namespace

void GroupParents::remove_forgotten() const {
  for (const int directory : directories) {
    if (directory >= 0) os::remove_forgotten_groups(directory);
  }
}

std::uint64_t GroupStats::peak_bytes() const {
  return read_number(peak, {});
}

std::uint32_t GroupStats::oom_kills() const {
  return static_cast<std::uint32_t>(read_number(events, "oom_kill "));
}

std::uint64_t GroupStats::cpu_us() const {
  return read_number(cpu, "usage_usec ");
}

void GroupStats::close() {
  for (int* fd : {&peak, &events, &cpu}) {
    close_fd(*fd);
    *fd = -1;
  }
}

SlotGroups SlotGroups::named(const GroupParents& parents, CgroupLeaf::Name name) {
  SlotGroups groups;
  for (std::size_t i = 0; i < protocol::kHierarchies; ++i) {
    groups.leaves_[i] = CgroupLeaf::named(parents.directories[i], name);
  }
  return groups;
}

ConfineResult SlotGroups::create(const GroupParents& parents, CgroupLeaf::Name name,
                                 const protocol::SlotPlan* plan) {
  for (std::size_t i = 0; i < protocol::kHierarchies; ++i) {
    leaves_[i] = CgroupLeaf::create(parents.directories[i], name);
  }
  ConfineResult result;
  if (plan != nullptr) {
    plan->controls.for_each([&](const protocol::ControlValue& control) {
      const auto index = static_cast<std::size_t>(control.hierarchy);
      if (control.required && required_[index] == nullptr) required_[index] = control.file.data();
      const long error = leaves_[index].is_open() ? leaves_[index].set(control.file.data(), control.value)
                                                  : leaves_[index].error();
      if (error < 0 && control.required && result.ok()) result = failure(error, control.file);
    });
  }
  if (result.ok()) {
    open_stats();
  } else {
    remove();
  }
  return result;
}

void SlotGroups::open_stats() {
  const auto open = [this](Hierarchy hierarchy, const char* file) {
    const int fd = leaf(hierarchy).is_open() ? leaf(hierarchy).open_file(file) : -1;
    return fd < 0 ? -1 : fd;
  };
  stats_.cpu = open(Hierarchy::unified, "cpu.stat");
  stats_.events = open(Hierarchy::unified, "memory.events");
  stats_.peak = open(Hierarchy::unified, "memory.peak");  // Linux 5.19
  if (stats_.events >= 0) return;
  stats_.events = open(Hierarchy::memory, "memory.oom_control");
  stats_.peak = open(Hierarchy::memory, "memory.max_usage_in_bytes");
}

ConfineResult SlotGroups::enter(bool began_in_unified) const {
  for (std::size_t i = 0; i < protocol::kHierarchies; ++i) {
    if (!leaves_[i].is_open() || (i == 0 && began_in_unified)) continue;
    const long error = leaves_[i].enter(entrance_of(i));
    if (error < 0 && required_[i] != nullptr) return failure(error, required_[i]);
  }
  return {};
}

void SlotGroups::give_up_unified() {
  if (!requires_unified()) leaves_[0].remove();
}

void SlotGroups::remove_where_orphaned() {
  for (std::size_t i = 0; i < protocol::kHierarchies; ++i) {
    auto& leaf = leaves_[i];
    if (!leaf.is_open() || raw_syscall(__NR_getppid) == leaf.spawner()) continue;
    if (leaf.leave(entrance_of(i))) leaf.remove();
  }
}

void SlotGroups::close() {
  for (auto& leaf : leaves_) leaf.close();
  stats_.close();
}

void SlotGroups::remove() {
  close();
  for (auto& leaf : leaves_) leaf.remove();
}

}  // namespace prx::init
