// without_memfd PROGRAM [ARG…]: executes PROGRAM where memfd_create is refused, as a hardened system would.
// Exits 125 when that is not possible.
// Proves what a program does that cannot have its helper in a memory file.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iterator>

static bool forbid_memfd() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

int main(int argc, char** argv) {
  if (argc < 2) return 125;
  const bool forbidden = forbid_memfd();
  if (forbidden) execv(argv[1], argv + 1);
  std::fprintf(stderr, "without_memfd: %s: %s\n", forbidden ? argv[1] : "seccomp", std::strerror(errno));
  return 125;
}
