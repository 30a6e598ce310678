#include "init/namespaces.hpp"

#include <linux/if.h>
#include <linux/sched.h>
#include <linux/sockios.h>

#include <cstring>

#include "init/clone.hpp"
#include "init/mount_tree.hpp"
#include "init/sys.hpp"

namespace prx::init {
namespace {

using protocol::SlotPlan;
using protocol::Step;

long bring_loopback_up() {
  const long socket = raw_syscall(__NR_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return socket;
  ifreq request{};
  memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP;
  const long error = raw_syscall(__NR_ioctl, socket, SIOCSIFFLAGS, as_arg(&request));
  close_fd(static_cast<int>(socket));
  return error;
}

ConfineResult failure(Step step, long error, std::string_view subject = {}) {
  return {step, static_cast<int>(-error), subject};
}

}  // namespace

unsigned namespace_flags(const SlotPlan& plan) {
  if (plan.confinement != protocol::Confinement::namespaces) return 0;
  return CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
}

long enter_outer_user_namespace() {
  const auto uid = static_cast<std::uint32_t>(raw_syscall(__NR_geteuid));
  const auto gid = static_cast<std::uint32_t>(raw_syscall(__NR_getegid));
  if (const long error = raw_syscall(__NR_unshare, CLONE_NEWUSER); error < 0) return error;
  return map_own_ids(uid, gid, uid, gid);
}

long make_network_namespace() {
  // By a child: an ordinary user who has left a network namespace may not enter it again.
  long result = -EIO;
  const auto open_in_child = [](void* to) {
    long& made = *static_cast<long*>(to);
    made = bring_loopback_up();
    if (made >= 0) made = open_path("/proc/self/ns/net", O_RDONLY);
    return 0;
  };
  const long error = run_in_namespaces(CLONE_NEWNET, open_in_child, &result);
  return error < 0 ? error : result;
}

ConfineResult enter_namespaces(const SlotPlan& plan, int network, const Identity& identity) {
  if (plan.own_network) {
    const long error = network < 0 ? network : raw_syscall(__NR_setns, network, CLONE_NEWNET);
    if (error < 0) return failure(Step::network, error);
  }
  std::string_view subject;
  if (const long error = build_tree(plan, identity, subject); error < 0) {
    return failure(Step::mount, error, subject);
  }
  if (const long error = become(plan, identity); error < 0) return failure(Step::identity, error);
  return {};
}

}  // namespace prx::init
