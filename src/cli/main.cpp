#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <span>
#include <string_view>

#include "cli/command.hpp"
#include "cli/top_level.hpp"

namespace {

/// A descriptor that the caller closed must not become a file of ours: it is opened the wrong way
/// round, so that using it fails as a closed one does.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    const int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    [[maybe_unused]] const int opened = ::open("/dev/null", flags);
  }
}

/// prx holds variables that the command is not to see: keep its memory and /proc/self/environ from
/// other processes of the same user. LeakSanitizer traces its own process and cannot run with it.
void hide_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

std::string_view program_name(std::span<char* const> args) {
  if (args.empty()) return "prx";
  const std::string_view path = args.front();
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  // Who starts a login shell puts a '-' before its name.
  return name.starts_with('-') ? name.substr(1) : name;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char* const> args(argv, static_cast<std::size_t>(argc));
  occupy_standard_descriptors();
  hide_memory();
  const auto operands = args.empty() ? args : args.subspan(1);
  if (program_name(args) == prx::cli::kShellInfo.name) {
    return prx::cli::run_command(prx::cli::shell_entry(), operands);
  }
  return prx::cli::run_top_level(operands);
}
