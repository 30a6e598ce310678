#include "init/denials.hpp"

#include <linux/seccomp.h>
#include <sys/ioctl.h>

#include "init/sys.hpp"
#include "protocol/seccomp_denials.hpp"

namespace prx::init {

void Denials::answer() {
  seccomp_notif call{};
  // ENOENT: a signal has taken the caller out of the call meanwhile.
  if (raw_syscall(__NR_ioctl, listener_, SECCOMP_IOCTL_NOTIF_RECV, as_arg(&call)) < 0) return;
  const auto verdict = protocol::answer_denial(call.data);
  seccomp_notif_resp answer{};
  answer.id = call.id;
  answer.error = -verdict.error;
  raw_syscall(__NR_ioctl, listener_, SECCOMP_IOCTL_NOTIF_SEND, as_arg(&answer));
  ++counts_[static_cast<std::size_t>(verdict.rule)];
}

}  // namespace prx::init
