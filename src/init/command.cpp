#include "init/command.hpp"

#include <linux/close_range.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>

#include <cstring>

#include "init/clone.hpp"
#include "init/limits.hpp"
#include "init/process.hpp"
#include "init/sys.hpp"

namespace prx::init {
namespace {

using protocol::SlotRequest;
using protocol::Step;

constexpr std::size_t kMaxPath = 4096;
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// Everything the child needs, complete before the clone; what it writes is read once it has ended.
struct Launch {
  const CommandStdio* stdio = nullptr;
  int working_dir = -1;
  const Confined* confined = nullptr;
  std::string_view file;
  std::string_view search_path;
  char** argv = nullptr;
  char** envp = nullptr;
  Step failed_step = Step::none;
  int error = 0;
  char path[kMaxPath] = {};  // the last program that was tried
};

constinit Launch launch;

/// What does not fit is cut: such a path is only ever shown.
void set_path(std::string_view directory, std::string_view file) {
  std::size_t at = 0;
  const auto put = [&at](std::string_view part) {
    for (const char c : part) {
      if (at + 1 < kMaxPath) launch.path[at++] = c;
    }
  };
  put(directory);
  if (!directory.empty()) put("/");
  put(file);
  launch.path[at] = '\0';
}

int fail(Step step, long error) {
  launch.failed_step = step;
  launch.error = static_cast<int>(-error);
  return 1;
}

long execute() {
  return raw_syscall(__NR_execve, as_arg(launch.path), as_arg(launch.argv), as_arg(launch.envp));
}

/// Whether no other directory is tried after this error: the file is there, and is more than forbidden.
bool ends_search(long error) {
  if (error == -EACCES) return false;
  if (error != -ENOENT && error != -ENOTDIR) return true;
  // It may be there all the same: then its interpreter is missing.
  return raw_syscall(__NR_faccessat, AT_FDCWD, as_arg(launch.path), 0) == 0;
}

std::string_view first_directory(std::string_view search_path) {
  std::size_t length = 0;
  while (length < search_path.size() && search_path[length] != ':') ++length;
  return {search_path.data(), length};
}

/// Tries the program in each directory of PATH. A file that exists and may not be executed is reported only
/// when no later directory has a better one.
long execute_from_search_path() {
  char refused[kMaxPath];
  refused[0] = '\0';
  std::string_view rest = launch.search_path;
  for (;;) {
    const std::string_view directory = first_directory(rest);
    if (directory.size() + launch.file.size() + 2 <= kMaxPath) {
      set_path(directory.empty() ? std::string_view(".") : directory, launch.file);
      const long error = execute();
      if (ends_search(error)) return error;
      if (error == -EACCES && refused[0] == '\0') memcpy(refused, launch.path, kMaxPath);
    }
    if (directory.size() == rest.size()) break;
    rest = {rest.data() + directory.size() + 1, rest.size() - directory.size() - 1};
  }
  if (refused[0] == '\0') {
    set_path({}, launch.file);
    return -ENOENT;
  }
  memcpy(launch.path, refused, kMaxPath);
  return -EACCES;
}

long enter_session(const CommandStdio& stdio) {
  const long session = raw_syscall(__NR_setsid);
  if (session < 0 || !stdio.terminal) return session;
  return raw_syscall(__NR_ioctl, stdio.fds[0], TIOCSCTTY, 0);
}

/// dup3 clears close-on-exec. The sources are above 2, since 0 to 2 were taken when prx-init began.
long install_stdio(const CommandStdio& stdio) {
  for (int target = 0; target < 3; ++target) {
    if (const long error = raw_syscall(__NR_dup3, stdio.fds[target], target, 0); error < 0) return error;
  }
  return 0;
}

bool contains_slash(std::string_view file) {
  for (const char c : file) {
    if (c == '/') return true;
  }
  return false;
}

int run_child(void*) {
  if (const long error = enter_session(*launch.stdio); error < 0) return fail(Step::session, error);
  if (const long error = install_stdio(*launch.stdio); error < 0) return fail(Step::stdio, error);
  if (launch.working_dir >= 0) {
    if (const long error = raw_syscall(__NR_fchdir, launch.working_dir); error < 0)
      return fail(Step::chdir, error);
  }
  // Everything is opened close-on-exec; this is for what was not opened by us. Before Linux 5.11: ENOSYS,
  // EINVAL.
  raw_syscall(__NR_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (const int ruleset = launch.confined->ruleset; ruleset >= 0) {
    const long error = raw_syscall(__NR_landlock_restrict_self, ruleset, 0);
    if (error < 0) return fail(Step::landlock, error);
  }
  if (launch.confined->plan != nullptr) {
    if (const long error = set_rlimits(*launch.confined->plan, launch.stdio->terminal); error < 0)
      return fail(Step::limits, error);
  }
  unblock_all_signals();
  set_path({}, launch.file);
  if (launch.file.size() >= kMaxPath) return fail(Step::exec, -ENAMETOOLONG);
  return fail(Step::exec, contains_slash(launch.file) ? execute() : execute_from_search_path());
}

/// A directory reached through a magic link (/proc/self/fd/N) may lie outside of what the slot may see.
long open_working_dir(const char* path) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_MAGICLINKS;
  const long fd = raw_syscall(__NR_openat2, AT_FDCWD, as_arg(path), as_arg(&how), sizeof(how));
  if (fd != -ENOSYS) return fd;  // before Linux 5.6
  return memcmp(path, "/proc/", 6) == 0 ? -ELOOP : open_path(path, O_PATH | O_DIRECTORY);
}

char** make_pointers(const protocol::StringList& list, char** at) {
  list.for_each([&at](std::string_view text) { *at++ = const_cast<char*>(text.data()); });
  *at++ = nullptr;
  return at;
}

std::string_view find_search_path(const protocol::StringList& env) {
  std::string_view path = kDefaultPath;
  env.for_each([&path](std::string_view entry) {
    if (entry.size() >= 5 && memcmp(entry.data(), "PATH=", 5) == 0)
      path = {entry.data() + 5, entry.size() - 5};
  });
  return path;
}

bool prepare_arguments(const SlotRequest& request) {
  const std::size_t pointers = std::size_t{request.argv.count} + request.env.count + 2;
  auto** memory = reinterpret_cast<char**>(map_memory(pointers * sizeof(char*)));
  if (memory == nullptr) return false;
  launch.argv = memory;
  launch.envp = make_pointers(request.argv, memory);
  make_pointers(request.env, launch.envp);
  return true;
}

/// The interpreter that a script names, in launch.path; its own path when it is no script.
void find_interpreter() {
  const long fd = open_path(launch.path, O_RDONLY);
  if (fd < 0) return;
  char line[256];
  const long size = read_fd(static_cast<int>(fd), line, sizeof(line) - 1);
  close_fd(static_cast<int>(fd));
  if (size < 3 || line[0] != '#' || line[1] != '!') return;
  long begin = 2;
  while (begin < size && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  long end = begin;
  while (end < size && line[end] != ' ' && line[end] != '\t' && line[end] != '\n') ++end;
  set_path({}, {line + begin, static_cast<std::size_t>(end - begin)});
}

StartResult failure(Step step, long error, std::string_view subject) {
  return {0, step, static_cast<int>(-error), subject};
}

StartResult explain_failed_child() {
  // Reaped here: a command that never ran is no child to report.
  raw_syscall(__NR_wait4, -1, 0, 0, 0);
  auto step = launch.failed_step;
  const bool exists = raw_syscall(__NR_faccessat, AT_FDCWD, as_arg(launch.path), 0) == 0;
  if (step == Step::exec && launch.error == ENOENT && exists) {
    step = Step::interpreter;
    find_interpreter();
  }
  return failure(step, -launch.error, {launch.path, strlen(launch.path)});
}

long start_child(const Confined& confined) {
  const OfferedToOomKiller offered(confined.oom_score);
  return clone_until_exec(run_child, nullptr);
}

}  // namespace

StartResult start_command(const SlotRequest& request, const CommandStdio& stdio, const Confined& confined) {
  launch.stdio = &stdio;
  launch.confined = &confined;
  launch.file = request.file;
  launch.search_path = find_search_path(request.env);
  if (!prepare_arguments(request)) return failure(Step::request, -ENOMEM, {});
  if (!request.working_dir.empty()) {
    const long fd = open_working_dir(request.working_dir.data());
    if (fd < 0) return failure(Step::chdir, fd, request.working_dir);
    launch.working_dir = static_cast<int>(fd);
    // A relative program is looked for there by the explanation of a failed exec, too.
    raw_syscall(__NR_fchdir, launch.working_dir);
  }
  const long pid = start_child(confined);
  StartResult result{static_cast<int>(pid), Step::none, 0, {}};
  if (pid < 0) {
    result = failure(Step::fork, pid, {});
  } else if (launch.failed_step != Step::none) {
    result = explain_failed_child();
  }
  close_fd(launch.working_dir);
  raw_syscall(__NR_chdir, as_arg("/"));
  return result;
}

}  // namespace prx::init
