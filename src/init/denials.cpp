#include "init/denials.hpp"

#include <linux/ioctl.h>
#include <linux/seccomp.h>

#include "init/sys.hpp"
#include "protocol/seccomp_denials.hpp"

namespace prx::init {
namespace {

/// Later kernels may write more than this build's headers say, and expect zeros there.
template <class T>
union Roomy {
  std::byte room[4 * sizeof(T)];
  T value;
};

/// Returns 0 or -errno.
long receive(int listener, Roomy<seccomp_notif>& call) {
  for (std::byte& byte : call.room) byte = std::byte{0};
  return raw_syscall(__NR_ioctl, listener, static_cast<long>(SECCOMP_IOCTL_NOTIF_RECV), as_arg(&call));
}

void refuse(int listener, std::uint64_t id, int error) {
  Roomy<seccomp_notif_resp> answer;
  for (std::byte& byte : answer.room) byte = std::byte{0};
  answer.value.id = id;
  answer.value.error = -error;
  // Fails when the caller was killed meanwhile: then nobody waits for it.
  raw_syscall(__NR_ioctl, listener, static_cast<long>(SECCOMP_IOCTL_NOTIF_SEND), as_arg(&answer));
}

}  // namespace

bool DenialCount::answer_one(int listener) {
  Roomy<seccomp_notif> call;
  const long error = receive(listener, call);
  // The caller was interrupted or killed before it was received, or a signal came to this process.
  if (error == -ENOENT || error == -EINTR) return true;
  if (error < 0) return false;
  const protocol::DenialAnswer answer = protocol::answer_denial(call.value.data);
  count(answer.rule);
  refuse(listener, call.value.id, answer.error);
  return true;
}

void DenialCount::count(protocol::SeccompRule rule) {
  std::uint32_t& count = counts_[static_cast<std::size_t>(rule)];
  if (count != UINT32_MAX) ++count;
}

}  // namespace prx::init
