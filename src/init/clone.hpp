#pragma once

namespace prx::init {

/// Runs `child(argument)` in a new process that shares this one's memory, on a stack of its own, and returns
/// its pid (or -errno) once it has called execve or ended. Costs the same whatever is mapped. The child must
/// only make system calls and write where nobody else reads.
long clone_until_exec(int (*child)(void*), void* argument);

/// fork(), with the child in the group that `cgroup` (a directory's descriptor) names from its first
/// instruction. -ENOSYS, -EPERM … where the kernel cannot do that.
long fork_into_cgroup(int cgroup);

}  // namespace prx::init
