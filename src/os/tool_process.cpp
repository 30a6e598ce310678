#include "os/tool_process.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/pipe.hpp"

namespace prx::os {
namespace {

#ifndef P_PIDFD
constexpr auto kPidfdType = static_cast<idtype_t>(3);
#else
constexpr auto kPidfdType = P_PIDFD;
#endif

Error start_error(const std::string& program, int error_number) {
  auto error = system_error("tool", error_number);
  error.subject = program;
  if (error_number == ENOENT) {
    error.kind = ErrorKind::not_found;
    error.detail = "no such program in PATH";
    error.hint = "install it";
  }
  if (error_number == EACCES) error.kind = ErrorKind::not_executable;
  return error;
}

/// posix_spawn's two objects, freed together.
struct SpawnSettings {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

void set_plain_signals(posix_spawnattr_t& attributes) {
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

}  // namespace

ToolProcess::ToolProcess(pid_t pid, base::Fd pidfd, base::Fd stderr_file)
    : pid_(pid), pidfd_(std::move(pidfd)), stderr_file_(std::move(stderr_file)) {}

ToolProcess::ToolProcess(ToolProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      stderr_file_(std::move(other.stderr_file_)),
      exit_code_(other.exit_code_),
      reaped_(std::exchange(other.reaped_, true)) {}

ToolProcess& ToolProcess::operator=(ToolProcess&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, -1);
  pidfd_ = std::move(other.pidfd_);
  stderr_file_ = std::move(other.stderr_file_);
  exit_code_ = other.exit_code_;
  reaped_ = std::exchange(other.reaped_, true);
  return *this;
}

ToolProcess::~ToolProcess() {
  end();
}

Result<ToolProcess> ToolProcess::start(const std::vector<std::string>& argv, const base::Fd& input,
                                       const base::Fd& output) {
  base::Fd stderr_file(static_cast<int>(::syscall(SYS_memfd_create, "prx-stderr", MFD_CLOEXEC)));
  if (!stderr_file.is_open()) return system_error("memfd_create", errno);
  SpawnSettings settings;
  set_plain_signals(settings.attributes);
  posix_spawn_file_actions_adddup2(&settings.actions, input.get(), 0);
  posix_spawn_file_actions_adddup2(&settings.actions, output.get(), 1);
  posix_spawn_file_actions_adddup2(&settings.actions, stderr_file.get(), 2);
  posix_spawn_file_actions_addclosefrom_np(&settings.actions, 3);
  std::vector<char*> pointers;
  pointers.reserve(argv.size() + 1);
  for (const auto& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      ::posix_spawnp(&pid, pointers[0], &settings.actions, &settings.attributes, pointers.data(), environ);
  if (error != 0) return start_error(argv.front(), error);
  base::Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return ToolProcess(pid, std::move(pidfd), std::move(stderr_file));
}

bool ToolProcess::has_ended() noexcept {
  if (reaped_) return true;
  siginfo_t info{};
  const bool by_pidfd = pidfd_.is_open();
  const int result = ::waitid(by_pidfd ? kPidfdType : P_PID,
                              static_cast<id_t>(by_pidfd ? pidfd_.get() : pid_), &info, WEXITED | WNOHANG);
  if (result == 0 && info.si_pid == 0) return false;
  reaped_ = true;  // also where the host reaps children that are not its own
  if (result == 0) exit_code_ = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  return true;
}

void ToolProcess::end() noexcept {
  if (pid_ < 0 || has_ended()) return;
  ::kill(-pid_, SIGKILL);  // unreaped, its pid is still its own
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) continue;
  reaped_ = true;
}

std::string ToolProcess::complaint() const {
  constexpr off_t kMost = 2048;
  struct stat status{};
  if (::fstat(stderr_file_.get(), &status) != 0) return {};
  std::string text(static_cast<std::size_t>(std::min<off_t>(status.st_size, kMost)), '\0');
  const auto from = std::max<off_t>(status.st_size - kMost, 0);
  const auto size = ::pread(stderr_file_.get(), text.data(), text.size(), from);
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  const auto first = text.find_first_not_of(" \r\n");
  const auto last = text.find_last_not_of(" \r\n");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

}  // namespace prx::os
