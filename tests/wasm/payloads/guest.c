/* One program that does what its first argument says. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int say(int result) {
  if (result >= 0) return 0;
  printf("%s", strerror(errno));
  return 1;
}

#pragma clang diagnostic ignored "-Winfinite-recursion"
static int recurse(volatile int *depth) {
  volatile char frame[4096];
  frame[0] = (char)*depth;
  ++*depth;
  return recurse(depth) + frame[0];
}

static int do_write(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return say(fd);
  return say((int)write(fd, text, strlen(text)));
}

static int do_read(const char *path) {
  char text[4096];
  int fd = open(path, O_RDONLY);
  if (fd < 0) return say(fd);
  ssize_t size = read(fd, text, sizeof(text));
  if (size < 0) return say(-1);
  fwrite(text, 1, (size_t)size, stdout);
  return 0;
}

static int do_list(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) return say(-1);
  struct dirent *entry;
  while ((entry = readdir(dir))) puts(entry->d_name);
  return 0;
}

static int do_cat(void) {
  char part[65536];
  ssize_t size;
  while ((size = read(0, part, sizeof(part))) > 0) {
    if (write(1, part, (size_t)size) < 0) return 1;
  }
  return size < 0;
}

/* Reads a file again and again; whether it ever was the one that it must not be. */
static int do_hammer(const char *path, long times, const char *forbidden) {
  char text[4096];
  unsigned long good = 0;
  while (times-- > 0) {
    int fd = open(path, O_RDONLY);
    if (fd < 0) continue;
    ssize_t size = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (size < 0) continue;
    text[size] = 0;
    if (strstr(text, forbidden)) return 2;
    ++good;
  }
  printf("%lu", good);
  return 0;
}

/* The same for writing. */
static int do_flood(const char *path, long times) {
  unsigned long good = 0;
  while (times-- > 0) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) continue;
    if (write(fd, "flood", 5) == 5) ++good;
    close(fd);
  }
  printf("%lu", good);
  return 0;
}

static int do_change(const char *how, const char *path) {
  if (!strcmp(how, "times")) return say(utimensat(AT_FDCWD, path, 0, 0));
  int fd = open(path, !strcmp(how, "append") ? O_WRONLY | O_APPEND : !strcmp(how, "trunc") ? O_RDONLY | O_TRUNC : O_RDWR);
  if (!strcmp(how, "fd-size") || !strcmp(how, "fd-allocate") || !strcmp(how, "fd-times")) {
    if (fd < 0) fd = open(path, O_RDONLY);
    if (!strcmp(how, "fd-size")) return say(ftruncate(fd, 1));
    if (!strcmp(how, "fd-times")) return say(futimens(fd, 0));
    return say(posix_fallocate(fd, 0, 100) == 0 ? 0 : -1);
  }
  return say(fd);
}

/* The memory that this program has, in pages, once no more is given. */
static int do_grow(void) {
  while (__builtin_wasm_memory_grow(0, 1) != (size_t)-1) {
  }
  printf("%lu", (unsigned long)__builtin_wasm_memory_size(0));
  return 0;
}

static int do_trap(const char *kind) {
  printf("before");
  fflush(stdout);
  if (!strcmp(kind, "unreachable")) __builtin_trap();
  if (!strcmp(kind, "memory-out-of-bounds")) return *(volatile char *)0xfffffff0;
  if (!strcmp(kind, "division-by-zero")) {
    volatile int zero = 0;
    return 7 / zero;
  }
  if (!strcmp(kind, "indirect-call")) return ((int (*)(int, int, int, int))(volatile long)0x7)(1, 2, 3, 4);
  if (!strcmp(kind, "out-of-memory")) {
    while (__builtin_wasm_memory_grow(0, 16) != (size_t)-1) {
    }
    __builtin_trap();
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "exit")) exit(atoi(argv[2]));
  if (!strcmp(what, "echo")) {
    for (int i = 2; i < argc; ++i) printf("%s\n", argv[i]);
    return 0;
  }
  if (!strcmp(what, "name")) return printf("%s", argv[0]), 0;
  if (!strcmp(what, "env")) {
    for (char **entry = environ; *entry; ++entry) puts(*entry);
    return 0;
  }
  if (!strcmp(what, "cat")) return do_cat();
  if (!strcmp(what, "loop")) {
    printf("before");
    fflush(stdout);
    for (volatile unsigned i = 0;; ++i) {
    }
  }
  if (!strcmp(what, "sleep")) {
    printf("before");
    fflush(stdout);
    sleep((unsigned)atoi(argv[2]));
    return 0;
  }
  if (!strcmp(what, "trap")) return do_trap(argv[2]);
  if (!strcmp(what, "recurse")) {
    volatile int depth = 0;
    return recurse(&depth);
  }
  if (!strcmp(what, "grow")) return do_grow();
  if (!strcmp(what, "read")) return do_read(argv[2]);
  if (!strcmp(what, "write")) return do_write(argv[2], argv[3]);
  if (!strcmp(what, "hammer")) return do_hammer(argv[2], atol(argv[3]), argv[4]);
  if (!strcmp(what, "flood")) return do_flood(argv[2], atol(argv[3]));
  if (!strcmp(what, "change")) return do_change(argv[3], argv[2]);
  if (!strcmp(what, "symlink")) return say(symlink(argv[3], argv[2]));
  if (!strcmp(what, "rmdir")) return say(rmdir(argv[2]));
  if (!strcmp(what, "list")) return do_list(argv[2]);
  if (!strcmp(what, "unlink")) return say(unlink(argv[2]));
  if (!strcmp(what, "mkdir")) return say(mkdir(argv[2], 0755));
  if (!strcmp(what, "rename")) return say(rename(argv[2], argv[3]));
  if (!strcmp(what, "link")) return say(link(argv[2], argv[3]));
  if (!strcmp(what, "truncate")) return say(truncate(argv[2], 0));
  return 99;
}
