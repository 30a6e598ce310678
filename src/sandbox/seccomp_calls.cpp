#include <string_view>

#include "sandbox/seccomp_profile.hpp"

namespace prx::sandbox {
namespace {

/// Among them some that are worth a word: ptrace and process_vm_* are for debuggers of own children (the
/// kernel lets a process only at those it may debug, Landlock only at those of the same slot, and since
/// Linux 4.8 a tracer cannot change a call behind the filter); seccomp and landlock_* can only take away
/// more; name_to_handle_at tells a number that only open_by_handle_at could use; uretprobe and uprobe are
/// made by the kernel's own trampolines, where a process is traced from outside.
// clang-format off: several entries a line
constexpr std::string_view kAllowed[] = {
    "accept", "accept4", "access", "adjtimex", "alarm", "arch_prctl", "bind", "brk", "cachestat", "capget",
    "capset", "chdir", "chmod", "chown", "clock_adjtime", "clock_getres", "clock_gettime",
    "clock_nanosleep", "clone", "close", "close_range", "connect", "copy_file_range", "creat", "dup",
    "dup2", "dup3", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2",
    "epoll_wait", "eventfd", "eventfd2", "execve", "execveat", "exit", "exit_group", "faccessat",
    "faccessat2", "fadvise64", "fallocate", "fchdir", "fchmod", "fchmodat", "fchmodat2", "fchown",
    "fchownat", "fcntl", "fdatasync", "fgetxattr", "file_getattr", "file_setattr", "flistxattr", "flock",
    "fork", "fremovexattr", "fsetxattr", "fstat", "fstatfs", "fsync", "ftruncate", "futex", "futex_requeue",
    "futex_wait", "futex_waitv", "futex_wake", "futimesat", "get_mempolicy", "get_robust_list", "getcpu",
    "getcwd", "getdents", "getdents64", "getegid", "geteuid", "getgid", "getgroups", "getitimer",
    "getpeername", "getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getrandom", "getresgid",
    "getresuid", "getrlimit", "getrusage", "getsid", "getsockname", "getsockopt", "gettid", "gettimeofday",
    "getuid", "getxattr", "getxattrat", "inotify_add_watch", "inotify_init", "inotify_init1",
    "inotify_rm_watch", "io_cancel", "io_destroy", "io_getevents", "io_pgetevents", "io_setup", "io_submit",
    "ioctl", "ioprio_get", "ioprio_set", "kcmp", "kill", "landlock_add_rule", "landlock_create_ruleset",
    "landlock_restrict_self", "lchown", "lgetxattr", "link", "linkat", "listen", "listxattr", "listxattrat",
    "llistxattr", "lremovexattr", "lseek", "lsetxattr", "lstat", "madvise", "map_shadow_stack", "mbind",
    "membarrier", "memfd_create", "mincore", "mkdir", "mkdirat", "mknod", "mknodat", "mlock", "mlock2",
    "mlockall", "mmap", "move_pages", "mprotect", "mq_getsetattr", "mq_notify", "mq_open",
    "mq_timedreceive", "mq_timedsend", "mq_unlink", "mremap", "mseal", "msgctl", "msgget", "msgrcv",
    "msgsnd", "msync", "munlock", "munlockall", "munmap", "name_to_handle_at", "nanosleep", "newfstatat",
    "open", "openat", "openat2", "pause", "personality", "pidfd_open", "pidfd_send_signal", "pipe", "pipe2",
    "pkey_alloc", "pkey_free", "pkey_mprotect", "poll", "ppoll", "prctl", "pread64", "preadv", "preadv2",
    "prlimit64", "process_madvise", "process_mrelease", "process_vm_readv", "process_vm_writev", "pselect6",
    "ptrace", "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readlink", "readlinkat", "readv",
    "recvfrom", "recvmmsg", "recvmsg", "removexattr", "removexattrat", "rename", "renameat", "renameat2",
    "restart_syscall", "rmdir", "rseq", "rt_sigaction", "rt_sigpending", "rt_sigprocmask",
    "rt_sigqueueinfo", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "rt_tgsigqueueinfo",
    "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr",
    "sched_getparam", "sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity", "sched_setattr",
    "sched_setparam", "sched_setscheduler", "sched_yield", "seccomp", "select", "semctl", "semget", "semop",
    "semtimedop", "sendfile", "sendmmsg", "sendmsg", "sendto", "set_mempolicy", "set_robust_list",
    "set_tid_address", "setfsgid", "setfsuid", "setgid", "setgroups", "setitimer", "setpgid", "setpriority",
    "setregid", "setresgid", "setresuid", "setreuid", "setrlimit", "setsid", "setsockopt", "setuid",
    "setxattr", "setxattrat", "shmat", "shmctl", "shmdt", "shmget", "shutdown", "sigaltstack", "signalfd",
    "signalfd4", "socket", "socketpair", "splice", "stat", "statfs", "statx", "symlink", "symlinkat",
    "sync", "sync_file_range", "syncfs", "sysinfo", "tee", "tgkill", "time", "timer_create", "timer_delete",
    "timer_getoverrun", "timer_gettime", "timer_settime", "timerfd_create", "timerfd_gettime",
    "timerfd_settime", "times", "tkill", "truncate", "umask", "uname", "unlink", "unlinkat", "unshare",
    "uprobe", "uretprobe", "utime", "utimensat", "utimes", "vfork", "vmsplice", "wait4", "waitid", "write",
    "writev",
};

/// clone3 and io_uring_* because a filter cannot see what is asked of them: glibc falls back to clone. The
/// others are gone from the kernel, or no program of today needs them and each is something more to attack.
constexpr std::string_view kAbsent[] = {
    "_sysctl", "afs_syscall", "clone3", "create_module", "epoll_ctl_old", "epoll_wait_old", "fanotify_init",
    "fanotify_mark", "get_kernel_syms", "get_thread_area", "getpmsg", "io_uring_enter", "io_uring_register",
    "io_uring_setup", "listmount", "listns", "lookup_dcookie", "lsm_get_self_attr", "lsm_list_modules",
    "lsm_set_self_attr", "memfd_secret", "migrate_pages", "modify_ldt", "nfsservctl", "putpmsg",
    "query_module", "remap_file_pages", "security", "set_mempolicy_home_node", "set_thread_area",
    "statmount", "sysfs", "tuxcall", "uselib", "ustat", "vhangup", "vserver",
};
// clang-format on

}  // namespace

std::span<const std::string_view> allowed_calls() noexcept {
  return kAllowed;
}

std::span<const std::string_view> absent_calls() noexcept {
  return kAbsent;
}

}  // namespace prx::sandbox
