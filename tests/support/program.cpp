#include "support/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <utility>

namespace prx::test {
namespace {

using std::chrono::milliseconds;

void close_fd(int& fd) {
  if (fd >= 0) close(std::exchange(fd, -1));
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_fd(read_end);
    close_fd(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

int non_blocking(int& end) {
  const int fd = std::exchange(end, -1);
  if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) throw std::runtime_error("fcntl");
  return fd;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const auto& text : strings) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

pid_t spawn(const std::vector<std::string>& argv, const ProgramOptions& options, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (in < 0) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  }
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  if (!options.working_dir.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.working_dir.c_str());
  }

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  const auto arguments = pointers(argv);
  const auto variables = options.env ? pointers(*options.env) : std::vector<char*>{};
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, argv.at(0).c_str(), &actions, &attributes, arguments.data(),
                                  options.env ? variables.data() : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error(argv[0] + ": " + std::strerror(failed));
  return pid;
}

/// write() without the SIGPIPE of a reader that went away, and without touching the disposition that
/// the process under test, being this one, may be about.
ssize_t write_quietly(int fd, const char* bytes, std::size_t size) {
  sigset_t pipe_signal;
  sigset_t before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = write(fd, bytes, size);
  const int error = errno;
  if (written < 0 && error == EPIPE) {
    constexpr timespec kNow{};
    sigtimedwait(&pipe_signal, nullptr, &kNow);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& argv, ProgramOptions options)
    : options_(std::move(options)) {
  Pipe in;
  Pipe out;
  Pipe err;
  pid_ = spawn(argv, options_, options_.stdin_bytes ? in.read_end : -1, out.write_end, err.write_end);
  if (options_.stdin_bytes) in_ = non_blocking(in.write_end);
  out_ = non_blocking(out.read_end);
  err_ = non_blocking(err.read_end);
}

RunningProgram::~RunningProgram() {
  if (!reaped_) {
    send_signal(SIGKILL);
    reap(true);
  }
  close_fd(in_);
  close_fd(out_);
  close_fd(err_);
}

void RunningProgram::send_signal(int signal_number) const {
  if (!reaped_) kill(signal_number == SIGKILL ? -pid_ : pid_, signal_number);
}

bool RunningProgram::wait_for_output(const std::string& text) {
  while (result_.out.find(text) == std::string::npos) {
    if (out_ < 0 || !pump()) return false;
  }
  return true;
}

ProgramResult RunningProgram::wait() {
  while (!reaped_ || out_ >= 0 || err_ >= 0) {
    if (pump()) continue;
    result_.timed_out = true;
    kill(-pid_, SIGKILL);
    if (!reaped_) reap(true);
    break;
  }
  close_fd(in_);
  close_fd(out_);
  close_fd(err_);
  result_.duration = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start_);
  return std::move(result_);
}

bool RunningProgram::pump() {
  if (std::chrono::steady_clock::now() - start_ >= options_.timeout) return false;
  if (in_ >= 0 && stdin_sent_ == options_.stdin_bytes->size()) close_fd(in_);
  // A negative descriptor is passed over by poll(). The short wait is for the end of the process, which
  // is asked for rather than waited for: a pidfd would need a newer C library than Debian 12 has.
  std::array<pollfd, 3> waiting{{{in_, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  constexpr int kPollMilliseconds = 2;
  if (poll(waiting.data(), waiting.size(), kPollMilliseconds) > 0) {
    if (waiting[0].revents != 0) write_stdin();
    if (waiting[1].revents != 0) read_from(out_, result_.out);
    if (waiting[2].revents != 0) read_from(err_, result_.err);
  }
  if (!reaped_) reap(false);
  return true;
}

void RunningProgram::write_stdin() {
  const auto& bytes = *options_.stdin_bytes;
  const ssize_t written = write_quietly(in_, bytes.data() + stdin_sent_, bytes.size() - stdin_sent_);
  if (written > 0) stdin_sent_ += static_cast<std::size_t>(written);
  if (written < 0 && errno != EAGAIN && errno != EINTR) close_fd(in_);
}

void RunningProgram::read_from(int& fd, std::string& into) {
  std::array<char, std::size_t{64} << 10U> piece;
  const ssize_t size = read(fd, piece.data(), piece.size());
  if (size > 0) into.append(piece.data(), static_cast<std::size_t>(size));
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) close_fd(fd);
}

void RunningProgram::reap(bool block) {
  int status = 0;
  const pid_t ended = waitpid(pid_, &status, block ? 0 : WNOHANG);
  if (ended == 0) return;
  reaped_ = true;
  if (ended != pid_) return;  // somebody else took it (SIGCHLD ignored): exit_code stays -1
  result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result_.exit_code = WIFSIGNALED(status) ? 128 + result_.signal : WEXITSTATUS(status);
}

ProgramResult run_program(const std::vector<std::string>& argv, ProgramOptions options) {
  return RunningProgram(argv, std::move(options)).wait();
}

}  // namespace prx::test
