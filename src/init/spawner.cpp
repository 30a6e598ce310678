#include "init/spawner.hpp"

#include <sys/wait.h>

#include <csignal>

#include "init/ancillary.hpp"
#include "init/cell_stock.hpp"
#include "init/clone.hpp"
#include "init/groups.hpp"
#include "init/process.hpp"
#include "init/slot.hpp"
#include "init/sys.hpp"
#include "os/process_tree.hpp"
#include "os/raw_clock.hpp"
#include "protocol/spawner_message.hpp"

namespace prx::init {
namespace {

using protocol::SpawnerMessage;

constexpr std::size_t kMaxSlots = 16'384;
constexpr std::uint64_t kOrphanBound = 2 * os::kNsPerSecond;
/// How long slots may take to end by themselves once the host is gone.
constexpr std::uint64_t kFarewell = 3 * os::kNsPerSecond;

struct SlotEntry {
  int pid;  // 0: free
  std::uint32_t slot;
  int group;
};

/// The live slots. A pid stays ours until we reap it, so an entry never names a stranger.
class SlotTable {
 public:
  [[nodiscard]] SlotEntry* find_free() { return find(0); }
  [[nodiscard]] SlotEntry* find(int pid) {
    for (std::size_t i = 0; i < kMaxSlots; ++i) {
      if (entries_[i].pid == pid) return &entries_[i];
      if (i >= high_water_) return pid == 0 ? &entries_[i] : nullptr;
    }
    return nullptr;
  }
  void add(SlotEntry& entry, int pid, std::uint32_t slot, int group) {
    entry = {pid, slot, group};
    const auto index = static_cast<std::size_t>(&entry - entries_) + 1;
    if (index > high_water_) high_water_ = index;
    ++count_;
  }
  void remove(SlotEntry& entry) {
    entry.pid = 0;
    --count_;
  }
  void kill(std::uint32_t slot) {
    for (std::size_t i = 0; i < high_water_; ++i) {
      if (entries_[i].pid != 0 && entries_[i].slot == slot) raw_syscall(__NR_kill, entries_[i].pid, SIGKILL);
    }
  }
  void kill_all() {
    for (std::size_t i = 0; i < high_water_; ++i) {
      if (entries_[i].pid != 0) raw_syscall(__NR_kill, entries_[i].pid, SIGKILL);
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  SlotEntry entries_[kMaxSlots] = {};
  std::size_t high_water_ = 0;
  std::size_t count_ = 0;
};

constinit SlotTable slots;
constinit CellStock cells;
constinit ConfineResult prepared;

GroupParents group_parents;

bool is_slot(int pid, const void*) {
  return slots.find(pid) != nullptr;
}

/// Where a process cannot be started in a group (a container's seccomp profile answers clone3 with ENOSYS),
/// the group is entered afterwards if it holds limits, and done without otherwise: the loop over the
/// descendants ends a tree, too. A lack of processes or memory is reported.
long fork_cell(Cell& cell, bool& in_unified) {
  const unsigned namespaces = cell.plan == nullptr ? 0 : namespace_flags(*cell.plan);
  if (in_unified = cell.groups.unified().is_open(); in_unified) {
    const long pid = fork_into(namespaces, cell.groups.unified().directory());
    if (pid >= 0 || pid == -EAGAIN || pid == -ENOMEM) return pid;
    in_unified = false;
    cell.groups.give_up_unified();
  }
  return fork_into(namespaces, -1);
}

void fork_slot(int signal_fd, const SpawnerMessage& message, int stream) {
  auto* entry = slots.find_free();
  if (entry == nullptr) return refuse_slot(stream, {protocol::Step::slot, EAGAIN});
  if (!prepared.ok()) return refuse_slot(stream, prepared);
  ConfineResult made;
  auto cell = cells.take(made, message.more != 0);
  if (!made.ok()) return refuse_slot(stream, made);
  bool in_unified = false;
  const long pid = fork_cell(cell, in_unified);
  if (pid == 0) {
    close_fd(kStreamFd);
    prepare_forked_process();
    exit_process(run_slot({{stream, stream}, kHostPidFd, signal_fd}, cell, in_unified));
  }
  CellStock::release(cell);
  if (pid < 0) {
    cell.groups.remove();
    return refuse_slot(stream, {protocol::Step::slot, static_cast<int>(-pid)});
  }
  slots.add(*entry, static_cast<int>(pid), message.slot, cell.group);
}

/// False when the host has closed its end.
bool handle_message(int signal_fd) {
  SpawnerMessage message{};
  int attached = -1;
  const long size = receive_with_fds(kStreamFd, &message, sizeof(message), std::span(&attached, 1));
  if (size == -EINTR || size == -EAGAIN) return true;
  if (size == static_cast<long>(sizeof(message))) {
    if (message.kind == SpawnerMessage::Kind::fork_slot && attached >= 0) {
      fork_slot(signal_fd, message, attached);
    } else if (message.kind == SpawnerMessage::Kind::kill_slot) {
      slots.kill(message.slot);
    }
  }
  close_fd(attached);
  return size > 0;
}

/// A command may stop its own init; the init is ours, so we wake it.
void continue_stopped_slots() {
  siginfo_t info{};
  while (raw_syscall(__NR_waitid, P_ALL, 0, as_arg(&info), WSTOPPED | WNOHANG, 0) == 0 && info.si_pid != 0) {
    raw_syscall(__NR_kill, info.si_pid, SIGCONT);
    info.si_pid = 0;
  }
}

SlotGroups groups_of(int group) {
  return SlotGroups::named(group_parents, {own_pid(), group});
}

/// Slots that were killed: their groups are removed once what was in them has been reaped.
struct KilledSlots {
  static constexpr std::size_t kMax = 64;
  int groups[kMax];
  std::size_t count = 0;
  bool orphans = false;

  void remove_groups() {
    for (std::size_t i = 0; i < count; ++i) groups_of(groups[i]).remove();
  }
};

/// A slot that ends by itself has left nothing in its group. What is our child and no slot is an orphan of
/// one that did not.
void note_end(int pid, int status, void* context) {
  auto& killed = *static_cast<KilledSlots*>(context);
  auto* entry = slots.find(pid);
  if (entry == nullptr) {
    killed.orphans = true;
    return;
  }
  const int group = entry->group;
  slots.remove(*entry);
  if (!WIFSIGNALED(status)) return groups_of(group).remove();
  killed.orphans = true;
  groups_of(group).kill();
  if (killed.count < KilledSlots::kMax) killed.groups[killed.count++] = group;
}

void reap_children() {
  continue_stopped_slots();
  KilledSlots killed;
  for (;;) {
    int status = 0;
    const long pid = raw_syscall(__NR_wait4, -1, as_arg(&status), WNOHANG, 0);
    if (pid <= 0) break;
    note_end(static_cast<int>(pid), status, &killed);
  }
  if (!killed.orphans) return;
  os::end_descendants(kOrphanBound, {is_slot, nullptr}, note_end, &killed);
  killed.remove_groups();
}

void serve(int signal_fd) {
  for (;;) {
    pollfd fds[] = {{kStreamFd, POLLIN, 0}, {kHostPidFd, POLLIN, 0}, {signal_fd, POLLIN, 0}};
    // What the next slot needs is made while nobody waits for this one.
    constexpr timespec kNoWait{};
    const long ready = poll_fds(fds, cells.is_empty() ? &kNoWait : nullptr);
    if (ready < 0) continue;
    if (ready == 0) {
      cells.prepare();
      continue;
    }
    if (fds[2].revents != 0) {
      take_child_signal(signal_fd);
      reap_children();
    }
    if (fds[1].revents != 0) return;
    if (fds[0].revents != 0 && !handle_message(signal_fd)) return;
  }
}

/// The host may have left this spawner for another: then its busy slots go on. When the host is gone, slots
/// end by themselves, and what does not is ended here.
void see_off_slots(int signal_fd) {
  std::uint64_t deadline = 0;  // none, while the host is there
  while (slots.count() > 0) {
    const auto now = os::monotonic_ns();
    if (deadline != 0 && now >= deadline) break;
    pollfd fds[] = {{signal_fd, POLLIN, 0}, {deadline == 0 ? kHostPidFd : -1, POLLIN, 0}};
    const auto left = os::to_timespec(deadline == 0 ? 0 : deadline - now);
    poll_fds(fds, deadline == 0 ? nullptr : &left);
    if (fds[1].revents != 0) deadline = os::monotonic_ns() + kFarewell;
    take_child_signal(signal_fd);
    reap_children();
  }
  slots.kill_all();
  KilledSlots killed;
  os::end_descendants(kOrphanBound, {}, note_end, &killed);
  killed.remove_groups();
  cells.drop();
  groups_of(0).remove();  // where a slot had to leave its own for (os/cgroup_leaf.hpp)
}

/// The host's child ends at once, so that the host never has a child it does not know of; with an errno as
/// its exit code where there is no room for another.
void leave_host() {
  const long pid = raw_syscall(__NR_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid != 0) exit_process(pid > 0 ? 0 : static_cast<int>(-pid));
  raw_syscall(__NR_setsid);
  raw_syscall(__NR_chdir, as_arg("/"));
}

}  // namespace

int run_spawner(ConfineResult (*prepare)()) {
  leave_host();
  // Before anything is opened, which could stand where one of these is missing.
  const bool has_plan = is_open(kPlanFd);
  for (int i = 0; i < static_cast<int>(protocol::kHierarchies); ++i) {
    if (is_open(kGroupsFd + i)) group_parents.directories[i] = kGroupsFd + i;
  }
  const int signal_fd = prepare_process();
  if (signal_fd < 0) return 1;
  group_parents.remove_forgotten();
  cells.use_groups(group_parents);
  if (has_plan) cells.open(kPlanFd);
  if (prepare != nullptr) prepared = prepare();
  serve(signal_fd);
  close_fd(kStreamFd);
  see_off_slots(signal_fd);
  return 0;
}

}  // namespace prx::init
