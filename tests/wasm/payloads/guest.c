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

static int do_fill(long bytes) {
  static char part[65536];
  memset(part, 'x', sizeof(part));
  while (bytes > 0) {
    long piece = bytes < (long)sizeof(part) ? bytes : (long)sizeof(part);
    ssize_t size = write(1, part, (size_t)piece);
    if (size < 0) return 1;
    bytes -= size;
  }
  return 0;
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
  if (!strcmp(what, "both")) return fprintf(stderr, "err"), printf("out"), 0;
  if (!strcmp(what, "cat")) return do_cat();
  if (!strcmp(what, "fill")) return do_fill(atol(argv[2]));
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
  if (!strcmp(what, "list")) return do_list(argv[2]);
  if (!strcmp(what, "unlink")) return say(unlink(argv[2]));
  if (!strcmp(what, "mkdir")) return say(mkdir(argv[2], 0755));
  if (!strcmp(what, "rename")) return say(rename(argv[2], argv[3]));
  if (!strcmp(what, "link")) return say(link(argv[2], argv[3]));
  if (!strcmp(what, "truncate")) return say(truncate(argv[2], 0));
  return 99;
}
