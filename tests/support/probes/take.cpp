// take WHAT AMOUNT [PATH]: takes that much of something, prints "took AMOUNT" and exits 0; or "refused at N"
// and exits 1 when it gets no more. Proves a limit from both sides: just under it works, just over it does
// not.
//
//   memfd MIB          one memory file, written to and not mapped    hidden-memfd MIB   the same, undumpable
//   shared MIB         anonymous shared memory                       sysv MIB           a System V segment
//   file MIB PATH      a file                                        children N         processes that stay
//   threads N          threads that stay                             files N            open files
//   cpu MS             processor time of this process                tree-cpu MS        of two children
//   together stubborn-cpu MS    as cpu, with SIGXCPU ignored                  forks SECONDS      forks
//   without end, for so long
#include <fcntl.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
char block[kMebibyte];

int refused(long at) {
  std::printf("refused at %ld\n", at);
  return 1;
}

int fill(int fd, long mebibytes) {
  std::memset(block, 1, sizeof(block));
  for (long i = 0; i < mebibytes; ++i) {
    if (write(fd, block, sizeof(block)) != static_cast<ssize_t>(sizeof(block))) return refused(i);
  }
  return 0;
}

int touch(void* memory, long mebibytes) {
  if (memory == MAP_FAILED || memory == reinterpret_cast<void*>(-1)) return refused(0);
  for (long i = 0; i < mebibytes; ++i)
    std::memset(static_cast<char*>(memory) + i * long{kMebibyte}, 1, kMebibyte);
  return 0;
}

/// Memory that is only watched is not refused: it has to be there for a while to be noticed.
void stay() {
  const timespec while_noticed{1, 200'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &while_noticed, nullptr);
}

long cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

int burn(long milliseconds) {
  volatile unsigned long spin = 0;
  while (cpu_ms() < milliseconds) spin = spin + 1;
  return 0;
}

int burn_in_two(long milliseconds) {
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) _exit(burn(milliseconds / 2));
  }
  int result = 0;
  for (int status = 0; wait(&status) > 0;) result |= status;
  return result == 0 ? 0 : 1;
}

int start_children(long count) {
  for (long i = 0; i < count; ++i) {
    const pid_t pid = fork();
    if (pid < 0) return refused(i);
    if (pid == 0) {
      for (;;) pause();
    }
  }
  return 0;
}

int idle(void*) {
  for (;;) pause();
}

int start_threads(long count) {
  constexpr std::size_t kStack = 16384;
  for (long i = 0; i < count; ++i) {
    auto* stack = static_cast<char*>(std::malloc(kStack));
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    if (clone(idle, stack + kStack, flags, nullptr) < 0) return refused(i);
  }
  return 0;
}

int open_files(long count) {
  for (long i = 0; i < count; ++i) {
    if (open("/dev/null", O_RDONLY) < 0) return refused(i);
  }
  return 0;
}

int fork_without_end(long seconds) {
  const time_t end = time(nullptr) + seconds;
  while (time(nullptr) < end) (void)!fork();
  return 0;
}

int take(const char* what, long amount, const char* path) {
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("memfd") || is("hidden-memfd")) {
    if (is("hidden-memfd")) prctl(PR_SET_DUMPABLE, 0);
    return fill(memfd_create("take", 0), amount);
  }
  const auto bytes = static_cast<std::size_t>(amount) * kMebibyte;
  if (is("shared"))
    return touch(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), amount);
  if (is("sysv")) {
    const int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    void* memory = id < 0 ? MAP_FAILED : shmat(id, nullptr, 0);
    if (id >= 0) shmctl(id, IPC_RMID, nullptr);
    return touch(memory, amount);
  }
  if (is("file")) return fill(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), amount);
  if (is("children")) return start_children(amount);
  if (is("threads")) return start_threads(amount);
  if (is("files")) return open_files(amount);
  if (is("cpu")) return burn(amount);
  if (is("tree-cpu")) return burn_in_two(amount);
  if (is("stubborn-cpu")) {
    signal(SIGXCPU, SIG_IGN);
    return burn(amount);
  }
  if (is("forks")) return fork_without_end(amount);
  return 2;
}

bool is_memory(const char* what) {
  for (const auto* name : {"memfd", "hidden-memfd", "shared", "sysv"}) {
    if (std::strcmp(what, name) == 0) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const long amount = std::atol(argv[2]);
  const int result = take(argv[1], amount, argc > 3 ? argv[3] : "file");
  if (result == 0) {
    if (is_memory(argv[1])) stay();
    std::printf("took %ld\n", amount);
  }
  std::fflush(stdout);
  return result;
}
