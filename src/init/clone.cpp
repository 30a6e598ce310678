#include "init/clone.hpp"

#include <linux/sched.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "init/sys.hpp"

/// clone(flags, stack) and a call of child(argument) on the new stack. C++ cannot say this: after a clone
/// with shared memory both sides return through one frame.
extern "C" long prx_clone_on_stack(long flags, void* stack_top, int (*child)(void*), void* argument);

#if defined(__x86_64__)
asm(R"(
.globl prx_clone_on_stack
.type prx_clone_on_stack, @function
prx_clone_on_stack:
  mov %rdx, -16(%rsi)
  mov %rcx, -8(%rsi)
  sub $16, %rsi
  xor %edx, %edx
  xor %r10d, %r10d
  xor %r8d, %r8d
  mov $56, %eax
  syscall
  test %rax, %rax
  jnz 1f
  xor %ebp, %ebp
  pop %rax
  pop %rdi
  call *%rax
  mov %eax, %edi
  mov $231, %eax
  syscall
  ud2
1:
  ret
)");
#elif defined(__aarch64__)
asm(R"(
.globl prx_clone_on_stack
.type prx_clone_on_stack, @function
prx_clone_on_stack:
  stp x2, x3, [x1, #-16]!
  mov x2, #0
  mov x3, #0
  mov x4, #0
  mov x8, #220
  svc #0
  cbnz x0, 1f
  mov x29, #0
  ldp x1, x0, [sp], #16
  blr x1
  mov x8, #94
  svc #0
  brk #0
1:
  ret
)");
#endif

namespace prx::init {
namespace {
constexpr std::size_t kStackSize = 64U << 10U;
alignas(16) std::byte child_stack[kStackSize];
}  // namespace

long clone_until_exec(int (*child)(void*), void* argument) {
  return prx_clone_on_stack(CLONE_VM | CLONE_VFORK | SIGCHLD, child_stack + kStackSize, child, argument);
}

long run_in_namespaces(unsigned namespaces, int (*child)(void*), void* argument) {
  const long flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | static_cast<long>(namespaces);
  const long pid = prx_clone_on_stack(flags, child_stack + kStackSize, child, argument);
  if (pid < 0) return pid;
  constexpr long kAnyKind = 0x40000000;  // __WALL
  raw_syscall(__NR_wait4, pid, 0, kAnyKind, 0);
  return 0;
}

long fork_into(unsigned namespaces, int cgroup) {
  if (cgroup < 0) return raw_syscall(__NR_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
  clone_args arguments{};
  arguments.flags = CLONE_INTO_CGROUP | namespaces;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<unsigned>(cgroup);
  return raw_syscall(__NR_clone3, as_arg(&arguments), sizeof(arguments));
}

}  // namespace prx::init
