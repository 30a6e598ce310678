#include "bench/bare.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "bench/host.hpp"

namespace prx::bench {
namespace {

constexpr std::size_t kReadSize = 64U << 10U;

/// The environment of a command of prx is small; the comparison gets one of the same size.
std::array<char*, 3> small_environment() {
  static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  static char language[] = "LANG=C.UTF-8";
  return {path, language, nullptr};
}

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open_null(int fd) { ::posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0); }
  void duplicate(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t spawn(const std::vector<std::string>& argv, const FileActions& actions) {
  std::vector<char*> pointers;
  for (const auto& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  auto environment = small_environment();
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, pointers.front(), actions.get(), nullptr, pointers.data(), environment.data());
  if (error != 0) give_up("posix_spawn", error);
  return pid;
}

std::pair<base::Fd, base::Fd> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) give_up("pipe2", errno);
  return {base::Fd(ends[0]), base::Fd(ends[1])};
}

int status_of(pid_t pid) {
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid) give_up("waitpid", errno);
  return status;
}

void wait_for(pid_t pid) {
  if (status_of(pid) != 0) give_up("the program failed", 0);
}

pid_t spawn_silent(const std::vector<std::string>& argv) {
  FileActions actions;
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) actions.open_null(fd);
  return spawn(argv, actions);
}

}  // namespace

BareChild spawn_bare(const std::vector<std::string>& argv) {
  auto out = open_pipe();
  auto err = open_pipe();
  FileActions actions;
  actions.open_null(STDIN_FILENO);
  actions.duplicate(out.second.get(), STDOUT_FILENO);
  actions.duplicate(err.second.get(), STDERR_FILENO);
  return {spawn(argv, actions), std::move(out.first), std::move(err.first)};
}

std::uint64_t finish_bare(BareChild child) {
  static std::array<char, kReadSize> buffer;
  std::array<pollfd, 2> fds{{{child.out.get(), POLLIN, 0}, {child.err.get(), POLLIN, 0}}};
  std::uint64_t total = 0;
  for (std::size_t open = fds.size(); open > 0;) {
    if (::poll(fds.data(), fds.size(), -1) < 0) give_up("poll", errno);
    for (auto& entry : fds) {
      if (entry.fd < 0 || entry.revents == 0) continue;
      const auto size = ::read(entry.fd, buffer.data(), buffer.size());
      if (size < 0) give_up("read", errno);
      total += static_cast<std::uint64_t>(size);
      if (size > 0) continue;
      entry.fd = -1;
      --open;
    }
  }
  wait_for(child.pid);
  return total;
}

std::uint64_t run_bare(const std::vector<std::string>& argv) {
  return finish_bare(spawn_bare(argv));
}

void run_whole_process(const std::vector<std::string>& argv) {
  wait_for(spawn_silent(argv));
}

bool succeeds(const std::vector<std::string>& argv) {
  return status_of(spawn_silent(argv)) == 0;
}

}  // namespace prx::bench
