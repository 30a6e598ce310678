// list_fds: prints "NUMBER TARGET" for each descriptor it was started with, one a line.
// Proves that a command gets stdin, stdout, stderr and nothing else of its host.
#include <dirent.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main() {
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return 1;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    if (std::atoi(entry->d_name) == dirfd(folder)) continue;
    char target[4096];
    const ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    std::printf("%s %s\n", entry->d_name, target);
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
