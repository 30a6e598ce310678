#include "init/seccomp.hpp"

#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "init/sys.hpp"

namespace prx::init {

long install_filter(const protocol::SlotPlan& plan, int& listener) {
  listener = -1;
  if (plan.filter.empty()) return 0;
  if (const long error = raw_syscall(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); error < 0) return error;
  auto* steps = reinterpret_cast<sock_filter*>(const_cast<std::byte*>(plan.filter.data()));
  const sock_fprog program{static_cast<unsigned short>(plan.filter.size() / sizeof(sock_filter)), steps};
  if (!plan.observe) {
    return raw_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, as_arg(&program));
  }
  // A notified call that has been received can only be interrupted by a deadly signal (Linux 5.19).
  constexpr unsigned kWaitKillable = 1U << 5U;
  long fd = raw_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
                        SECCOMP_FILTER_FLAG_NEW_LISTENER | kWaitKillable, as_arg(&program));
  if (fd == -EINVAL) {
    fd = raw_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                     as_arg(&program));
  }
  if (fd < 0) return fd;
  listener = static_cast<int>(fd);
  return 0;
}

}  // namespace prx::init
