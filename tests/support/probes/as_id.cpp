// as_id UID GID PROGRAM [ARG…]: becomes UID and GID for good, with no other group, and executes PROGRAM.
// Exits 125 when that is not possible. The test process itself keeps its id.
// Proves that something works for an ordinary user: root passes checks that a user does not.
#include <grp.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  if (argc < 4) return 125;
  const auto uid = static_cast<uid_t>(std::strtoul(argv[1], nullptr, 10));
  const auto gid = static_cast<gid_t>(std::strtoul(argv[2], nullptr, 10));
  const bool changed =
      setgroups(0, nullptr) == 0 && setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0;
  if (changed) execv(argv[3], argv + 3);
  std::fprintf(stderr, "as_id: %s: %s\n", changed ? argv[3] : "change of id", std::strerror(errno));
  return 125;
}
