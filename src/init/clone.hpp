#pragma once

namespace prx::init {

/// Runs `child(argument)` in a new process that shares this one's memory, on a stack of its own, and returns
/// its pid (or -errno) once it has called execve or ended. Costs the same whatever is mapped. The child must
/// only make system calls and write where nobody else reads.
long clone_until_exec(int (*child)(void*), void* argument);

/// Runs `child(argument)` in a process of its own that shares memory and descriptors with this one, in new
/// namespaces (CLONE_NEW*), and returns 0 once it has ended, or -errno. No SIGCHLD tells of it.
long run_in_namespaces(unsigned namespaces, int (*child)(void*), void* argument);

/// fork() into new namespaces (CLONE_NEW*), with the child in the group that `cgroup` (a directory's
/// descriptor, -1: the caller's) names from its first instruction. -ENOSYS, -EPERM … where the kernel cannot
/// do that.
long fork_into(unsigned namespaces, int cgroup);

}  // namespace prx::init
