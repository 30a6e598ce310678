#include "cli/pty_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "support/eventually.hpp"

namespace prx::test {
namespace {

constexpr std::chrono::seconds kPatience{10};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

PtyProgram::PtyProgram(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 64> name{};
  if (master_ < 0 || ::unlockpt(master_) != 0 || ::ptsname_r(master_, name.data(), name.size()) != 0) {
    throw std::runtime_error("no terminal");
  }
  resize(30, 100);
  auto arguments = argv;
  auto variables = env;
  const auto arg_pointers = pointers(arguments);
  const auto env_pointers = pointers(variables);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ > 0) return;
  ::setsid();
  const int slave = ::open(name.data(), O_RDWR);  // the session's controlling terminal
  for (const int fd : {0, 1, 2}) ::dup2(slave, fd);
  if (slave > 2) ::close(slave);
  ::execve(arg_pointers[0], arg_pointers.data(), env_pointers.data());
  ::_exit(127);
}

PtyProgram::~PtyProgram() {
  if (!reaped_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(master_);
}

void PtyProgram::type(const std::string& text) const {
  if (::write(master_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("the terminal takes no input");
  }
}

void PtyProgram::resize(unsigned short rows, unsigned short columns) const {
  const winsize size{rows, columns, 0, 0};
  ::ioctl(master_, TIOCSWINSZ, &size);
}

bool PtyProgram::read_some(std::chrono::steady_clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  pollfd readable{master_, POLLIN, 0};
  if (::poll(&readable, 1, std::max(0, static_cast<int>(left.count()))) <= 0) return false;
  std::array<char, 4096> buffer{};
  const ssize_t size = ::read(master_, buffer.data(), buffer.size());
  if (size <= 0) return false;  // EIO: nobody has the terminal open any more
  screen_.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

bool PtyProgram::shows(const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const auto at = screen_.find(text, seen_);
    if (at != std::string::npos) {
      seen_ = at + text.size();
      return true;
    }
    if (!read_some(deadline)) return false;
  }
}

termios PtyProgram::modes() const {
  termios modes{};
  ::tcgetattr(master_, &modes);
  return modes;
}

bool PtyProgram::is_cooked() const {
  const auto flags = modes().c_lflag;
  return (flags & ICANON) != 0 && (flags & ECHO) != 0 && (flags & ISIG) != 0;
}

pid_t PtyProgram::foreground_group() const {
  pid_t group = -1;
  ::ioctl(master_, TIOCGPGRP, &group);
  return group;
}

int PtyProgram::wait() {
  int status = 0;
  const auto ended = [&] {
    read_some(std::chrono::steady_clock::now());  // a full terminal would keep it from ending
    return ::waitpid(pid_, &status, WNOHANG) == pid_;
  };
  if (!eventually(kPatience, ended)) return -1;
  reaped_ = true;
  while (read_some(std::chrono::steady_clock::now())) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace prx::test
