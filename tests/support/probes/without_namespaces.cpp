// without_namespaces PROGRAM [ARG…]: executes PROGRAM as a container with Docker's default profile would run
// it: no call that makes or enters a namespace or changes a mount, clone3 unknown, and of root's capabilities
// only the usual ones. Exits 125 when that is not possible. Proves what works on hosts that forbid
// namespaces, without a container.
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>

/// CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP, NET_BIND_SERVICE, NET_RAW, SYS_CHROOT,
/// MKNOD, AUDIT_WRITE, SETFCAP.
static constexpr std::uint64_t kUsual = 0xa80425fb;

static constexpr unsigned kNamespaces = 0x7e020000;  // CLONE_NEW*, but for NEWTIME

/// All that Docker's default profile leaves to CAP_SYS_ADMIN of what a sandbox may want.
static constexpr int kForbidden[] = {SYS_unshare,    SYS_setns,     SYS_mount,         SYS_umount2,
                                     SYS_pivot_root, SYS_open_tree, SYS_move_mount,    SYS_fsopen,
                                     SYS_fsconfig,   SYS_fsmount,   SYS_mount_setattr, SYS_bpf,
                                     SYS_keyctl,     SYS_add_key,   SYS_sethostname};

#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, static_cast<unsigned>(action))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, field))

static bool forbid() {
  sock_filter program[2 * std::size(kForbidden) + 10];
  std::size_t size = 0;
  const auto put = [&](sock_filter step) { program[size++] = step; };
  put(LOAD(nr));
  for (const int call : kForbidden) {
    put(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
    put(RETURN(SECCOMP_RET_ERRNO | EPERM));
  }
  put(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
  put(RETURN(SECCOMP_RET_ERRNO | ENOSYS));
  put(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  put(LOAD(args[0]));
  put(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNamespaces, 0, 1));
  put(RETURN(SECCOMP_RET_ERRNO | EPERM));
  put(RETURN(SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(size), program};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

static bool enter_as_root() {
  for (int capability = 0; capability < 64; ++capability) {
    if ((kUsual >> capability & 1U) == 0) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const auto usual = static_cast<std::uint32_t>(kUsual);
  const __user_cap_data_struct data[2] = {{usual, usual, 0}, {}};
  // While there is CAP_SYS_ADMIN a filter needs no no_new_privs, which containers do not set either.
  return forbid() && syscall(SYS_capset, &header, data) == 0;
}

static bool enter_profile() {
  if (geteuid() == 0) return enter_as_root();
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && forbid();
}

int main(int argc, char** argv) {
  if (argc < 2) return 125;
  const bool forbidden = enter_profile();
  if (forbidden) execv(argv[1], argv + 1);
  std::fprintf(stderr, "without_namespaces: %s: %s\n", forbidden ? argv[1] : "profile", std::strerror(errno));
  return 125;
}
