#include "init/identity.hpp"

#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/securebits.h>

#include <csignal>

#include "init/sys.hpp"
#include "init/text.hpp"

namespace prx::init {
namespace {

using protocol::PlannedMount;
using protocol::SlotPlan;

constexpr std::uint32_t kLastId = 0xFFFFFFFE;
constexpr int kLastCapability = 63;

long write_file(const char* path, const char* text, std::size_t size) {
  const long fd = open_path(path, O_WRONLY);
  if (fd < 0) return fd;
  const long written = write_fd(static_cast<int>(fd), text, size);
  close_fd(static_cast<int>(fd));
  return written < 0 ? written : 0;
}

/// `owner` is shown as `id`, everybody else as who they are, so that "other" permissions mean what they mean
/// outside; nobody is shown as `owner`.
Text<256> tree_map(std::uint32_t owner, std::uint32_t id) {
  Text<256> map;
  const auto line = [&map](std::uint32_t inside, std::uint32_t outside, std::uint32_t count) {
    if (count > 0) map.put(inside).put(" ").put(outside).put(" ").put(count).put("\n");
  };
  const auto first = owner < id ? owner : id;
  const auto second = owner < id ? id : owner;
  line(0, 0, first);
  line(first + 1, first + 1, second - first - 1);
  line(second + 1, second + 1, kLastId - second);
  line(owner, id, 1);
  return map;
}

long write_tree_maps(long pid, const Identity::Owner& owner, std::uint32_t id) {
  const auto write_map = [pid, id](const char* file, std::uint32_t owner_id) {
    Text<64> path;
    path.put("/proc/").put(static_cast<std::uint64_t>(pid)).put(file);
    const auto map = tree_map(owner_id, id);
    return write_file(path.c_str(), map.c_str(), map.size());
  };
  const long error = write_map("/uid_map", owner.uid);
  return error < 0 ? error : write_map("/gid_map", owner.gid);
}

/// A user namespace lives as long as a descriptor of it; the process that it was made with is only there to
/// be mapped, and ends with the pipe. It is no child that SIGCHLD tells of.
long make_tree_namespace(const Identity::Owner& owner, std::uint32_t id) {
  int ends[2];
  if (const long error = raw_syscall(__NR_pipe2, as_arg(ends), O_CLOEXEC); error < 0) return error;
  const long pid = raw_syscall(__NR_clone, CLONE_NEWUSER, 0, 0, 0, 0);
  if (pid == 0) {
    close_fd(ends[1]);
    pollfd pipe[] = {{ends[0], POLLIN, 0}};
    poll_fds(pipe, nullptr);
    exit_process(0);
  }
  close_fd(ends[0]);
  if (pid < 0) {
    close_fd(ends[1]);
    return pid;
  }
  long result = write_tree_maps(pid, owner, id);
  if (result >= 0) {
    Text<64> path;
    path.put("/proc/").put(static_cast<std::uint64_t>(pid)).put("/ns/user");
    result = open_path(path.c_str(), O_RDONLY);
  }
  close_fd(ends[1]);
  constexpr long kAnyKind = 0x40000000;  // __WALL
  raw_syscall(__NR_wait4, pid, 0, kAnyKind, 0);
  return result;
}

bool set_ids(std::uint32_t id) {
  return raw_syscall(__NR_setgroups, 0, 0) >= 0 && raw_syscall(__NR_setresgid, id, id, id) >= 0 &&
         raw_syscall(__NR_setresuid, id, id, id) >= 0;
}

/// Not even a program that is set-user-ID, or has capabilities of its own, gets any back. What is kept is
/// kept by this process alone: a program that it executes starts without (SECBIT_NOROOT).
long drop_capabilities(std::uint32_t kept) {
  for (int capability = 0; capability <= kLastCapability; ++capability) {
    if (raw_syscall(__NR_prctl, PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) break;  // the kernel's last one
  }
  raw_syscall(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  constexpr long kLocked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                           SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                           SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  if (const long error = raw_syscall(__NR_prctl, PR_SET_SECUREBITS, kLocked, 0, 0, 0); error < 0)
    return error;
  const __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct left[2] = {{kept, kept, 0}, {}};
  return raw_syscall(__NR_capset, as_arg(&header), as_arg(left));
}

}  // namespace

int Identity::find(std::uint32_t uid, std::uint32_t gid) const {
  for (std::size_t i = 0; i < count; ++i) {
    if (owners[i].uid == uid && owners[i].gid == gid) return owners[i].user_namespace;
  }
  return -1;
}

void Identity::close() {
  for (std::size_t i = 0; i < count; ++i) close_fd(owners[i].user_namespace);
  count = 0;
}

long make_identity(const SlotPlan& plan, std::uint32_t id, Identity& identity) {
  identity.id = id;
  long error = 0;
  plan.mounts.for_each([&](const PlannedMount& mount) {
    if (error < 0 || !mount.has(PlannedMount::owned)) return;
    if (identity.find(mount.uid, mount.gid) >= 0) return;
    if (identity.count == Identity::kMaxOwners) {
      error = -E2BIG;
      return;
    }
    auto& owner = identity.owners[identity.count];
    owner.uid = mount.uid;
    owner.gid = mount.gid;
    const long fd = make_tree_namespace(owner, id);
    if (fd < 0) {
      error = fd;
      return;
    }
    owner.user_namespace = static_cast<int>(fd);
    ++identity.count;
  });
  if (error < 0) identity.close();
  return error;
}

long map_own_ids(std::uint32_t inside_uid, std::uint32_t inside_gid, std::uint32_t outside_uid,
                 std::uint32_t outside_gid) {
  const auto map = [](std::uint32_t inside, std::uint32_t outside) {
    Text<64> text;
    return text.put(inside).put(" ").put(outside).put(" 1\n");
  };
  const auto uids = map(inside_uid, outside_uid);
  const auto gids = map(inside_gid, outside_gid);
  // Its files in /proc are root's while a process is not dumpable.
  raw_syscall(__NR_prctl, PR_SET_DUMPABLE, 1);
  long error = write_file("/proc/self/setgroups", "deny", 4);
  if (error >= 0) error = write_file("/proc/self/uid_map", uids.c_str(), uids.size());
  if (error >= 0) error = write_file("/proc/self/gid_map", gids.c_str(), gids.size());
  raw_syscall(__NR_prctl, PR_SET_DUMPABLE, 0);
  return error;
}

long become(const SlotPlan& plan, const Identity& identity) {
  if (identity.id != 0 && !set_ids(identity.id)) return -EPERM;
  const auto uid = static_cast<std::uint32_t>(raw_syscall(__NR_geteuid));
  const auto gid = static_cast<std::uint32_t>(raw_syscall(__NR_getegid));
  if (const long error = raw_syscall(__NR_unshare, CLONE_NEWUSER); error < 0) return error;
  if (const long error = map_own_ids(plan.uid, plan.gid, uid, gid); error < 0) return error;
  if (const long error = raw_syscall(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); error < 0) return error;
  // A process that makes itself undumpable is not hidden from the watch: over what is in this namespace,
  // which is nothing but the command's.
  const std::uint32_t see_all = plan.watch.memory_bytes != 0 ? 1U << CAP_SYS_PTRACE : 0;
  return drop_capabilities(see_all);
}

}  // namespace prx::init
