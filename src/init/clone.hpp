#pragma once

namespace prx::init {

/// Runs `child(argument)` in a new process that shares this one's memory, on a stack of its own, and returns
/// its pid (or -errno) once it has called execve or ended. Costs the same whatever is mapped. The child must
/// only make system calls and write where nobody else reads. With `cgroup` (a directory's descriptor, or -1)
/// the child begins its life in that group; where the kernel cannot do that (clone3 refused), -ENOSYS or
/// -EPERM.
long clone_until_exec(int (*child)(void*), void* argument, int cgroup);

}  // namespace prx::init
