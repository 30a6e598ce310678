// portable WHAT [ARG…]: does what its first argument says. The one probe that every backend can run: it is
// also compiled for WASI, where there is a C library and no C++ one.
//   exit CODE | args | env | copy (stdin to stdout) | count (bytes of stdin) | fill BYTES [FD] |
//   both | say TEXT [CODE] (then it stays, or exits) | line (prints one line of stdin, then exits with 6) |
//   sleep MILLISECONDS | later MILLISECONDS (counts the bytes of stdin then)
// Proves what a command is given, and how it ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

namespace {

char piece[65536];

bool write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, bytes, size);
    if (written < 0) return false;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool print(const char* text) {
  return write_all(STDOUT_FILENO, text, strlen(text));
}

void wait_ms(long milliseconds) {
  timespec left{};
  left.tv_sec = milliseconds / 1000;
  left.tv_nsec = milliseconds % 1000 * 1'000'000;
  while (nanosleep(&left, &left) != 0) {
  }
}

[[noreturn]] void stay() {
  for (;;) wait_ms(1'000'000);
}

/// Each with a NUL behind it.
int list(char** texts) {
  for (; *texts != nullptr; ++texts) {
    if (!write_all(STDOUT_FILENO, *texts, strlen(*texts) + 1)) return 1;
  }
  return 0;
}

int copy() {
  ssize_t size = 0;
  while ((size = read(STDIN_FILENO, piece, sizeof(piece))) > 0) {
    if (!write_all(STDOUT_FILENO, piece, static_cast<size_t>(size))) return 1;
  }
  return size < 0 ? 1 : 0;
}

int count() {
  unsigned long total = 0;
  ssize_t size = 0;
  while ((size = read(STDIN_FILENO, piece, sizeof(piece))) > 0) total += static_cast<unsigned long>(size);
  char text[32];
  snprintf(text, sizeof(text), "%lu\n", total);
  return size == 0 && print(text) ? 0 : 1;
}

int fill(unsigned long bytes, int fd) {
  memset(piece, 'a', sizeof(piece));
  while (bytes > 0) {
    const size_t part = bytes < sizeof(piece) ? bytes : sizeof(piece);
    if (!write_all(fd, piece, part)) return 1;
    bytes -= part;
  }
  return 0;
}

int line() {
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) == 1) {
    if (!write_all(STDOUT_FILENO, &byte, 1)) return 1;
    if (byte == '\n') return 6;
  }
  return 7;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  const char* const first = argc > 2 ? argv[2] : "";
  const auto is = [what](const char* name) { return strcmp(what, name) == 0; };
  if (is("exit")) return atoi(first);
  if (is("args")) return list(argv + 2);
  if (is("env")) return list(environ);
  if (is("copy")) return copy();
  if (is("count")) return count();
  if (is("fill")) return fill(strtoul(first, nullptr, 10), argc > 3 ? atoi(argv[3]) : STDOUT_FILENO);
  if (is("line")) return line();
  if (is("both")) return print("out") && write_all(STDERR_FILENO, "err", 3) ? 0 : 1;
  if (is("say")) {
    if (!print(first)) return 1;
    if (argc > 3) return atoi(argv[3]);
    stay();
  }
  if (is("sleep")) {
    wait_ms(atol(first));
    return 0;
  }
  if (is("later")) {
    wait_ms(atol(first));
    return count();
  }
  return 99;
}
